"""One self-contained HTML page that shows how the methods of a bench compare."""

from credprop.report.of_bench.bench_page import make_comparison, render_comparison

__all__ = ["make_comparison", "render_comparison"]
