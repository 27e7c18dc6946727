"""Figures that compare methods."""

from typing import Any

import pytest

from credprop.bench import make_page_data
from credprop.report.of_bench import make_comparison
from credprop.report.of_bench.bench_page import all_figures
from report.example_benches import ABOUT, make_row

Rows = list[dict[str, Any]]


def content_of(rows: Rows, about: dict[str, Any] | None = None) -> dict[str, Any]:
    return make_comparison(make_page_data(rows), ABOUT if about is None else about, "0.1.0")


def small(**accuracies: dict[str, float]) -> Rows:
    """One seed of these methods, underscores in place of hyphens, in these cells."""
    return [
        make_row(name.replace("_", "-"), cell, accuracy=value, first_accuracy=None)
        for name, cells in accuracies.items()
        for cell, value in cells.items()
    ]


def test_curves_are_relative_to_the_base_case_on_one_scale() -> None:
    rows = small(supervised={"base": 0.8, "few-label-1": 0.6, "open-set-2": 0.72}, cclp={"few-label-1": 0.3})
    figures = all_figures(content_of(rows)["bench"])
    few, outliers = figures["sensitivity-few-label"], figures["sensitivity-open-set"]
    assert [trace["name"] for trace in few["data"]] == ["supervised"]  # cclp has no base case
    assert few["data"][0]["y"] == pytest.approx([1, 0.75])
    assert (outliers["data"][0]["x"], outliers["data"][0]["y"]) == ([0, 2], pytest.approx([1, 0.9]))
    assert few["layout"]["yaxis"]["range"] == outliers["layout"]["yaxis"]["range"]
