"""The HTML report of a run from its content."""

from collections.abc import Mapping
from typing import Any

from credprop.report import figures
from credprop.report.content import FORMAT
from credprop.report.document import document, flatten
from credprop.report.map_figure import embedding_map
from credprop.report.style import Figure


def render(content: Mapping[str, Any]) -> str:
    """The report as self-contained HTML; raises if the content has another format."""
    if content.get("format") != FORMAT:
        raise ValueError(
            f"its format is {content.get('format')}, but this version of credprop reads {FORMAT}"
        )
    return document(
        "report.html",
        content,
        all_figures(content),
        bar_height=_bar_height(len(content["distribution"]["rows"])),
        setting_rows=list(flatten(content["settings"])),
        metric_rows=list(flatten(content["metrics"])),
    )


def all_figures(content: Mapping[str, Any]) -> dict[str, Figure]:
    """All figures of the page by name; empty ones are left out."""
    drawn = {
        "distribution": figures.distribution(content),
        "verdicts": figures.strengths(content, "verdicts"),
        "map": embedding_map(content),
    }
    if content["strengths"]["truth"] is not None:
        drawn["truth"] = figures.strengths(content, "truth")
    if content["losses"]:
        drawn["losses"] = figures.losses(content)
    if content["iterations"]:
        drawn["progress"] = figures.progress(content)
        drawn["resets"] = figures.resets(content)
        drawn["divergences"] = figures.divergences(content)
    for i, sample in enumerate(content["watched"]):
        drawn[f"trajectory-{i}"] = figures.trajectory(content, sample)
    return drawn


def _bar_height(rows: int) -> int:
    """Height of the bar chart in pixels."""
    return 110 + rows * (40 if rows <= 12 else 30)
