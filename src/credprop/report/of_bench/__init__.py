"""The page of a bench: one self-contained HTML page that compares the methods."""

from credprop.report.of_bench.bench_page import make_comparison, render_comparison

__all__ = ["make_comparison", "render_comparison"]
