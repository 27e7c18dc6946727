"""The report of a run: one self-contained HTML page."""

from credprop.report.content import make_content
from credprop.report.evidence import Evidence
from credprop.report.page import render

__all__ = ["Evidence", "make_content", "render"]
