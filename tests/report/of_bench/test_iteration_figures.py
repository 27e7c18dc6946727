"""Figures of the iterations of a run."""

from typing import Any

from credprop.bench import make_page_data
from credprop.report.of_bench import make_comparison
from credprop.report.of_bench.bench_page import all_figures
from report.example_benches import ABOUT, make_rows

Rows = list[dict[str, Any]]


def content_of(rows: Rows, about: dict[str, Any] | None = None) -> dict[str, Any]:
    return make_comparison(make_page_data(rows), ABOUT if about is None else about, "0.1.0")


def test_iterations_are_drawn_with_and_without_subsampling_and_with_softmax() -> None:
    rows = make_rows(("ccp-alone", "ccp-no-subsampling", "seal"), ("base", "few-label-3"), 2)
    figures = all_figures(content_of(rows)["bench"])
    dashes = [trace["line"]["dash"] for trace in figures["subsampling-few-label"]["data"]]
    assert dashes == ["solid", "solid", "dash", "dash"]
    assert len(figures["softmax-few-label"]["data"]) == len(figures["strengths-base"]["data"]) == 4
    assert figures["resets"]["data"][0]["x"] == [1, 2, 3, 4, 5, 6]
    assert [trace["name"] for trace in figures["divergences"]["data"]][-1] == "bound d_max"
    assert "trajectory-0" in figures
    assert len(figures["variance"]["data"]) == 3


def test_bounds_are_compared_with_outliers() -> None:
    rows = make_rows(("ccp-alone", "ccp-dmax-0.1", "ccp-no-reset"), ("open-set-1", "open-set-3"), 1)
    lines = all_figures(content_of(rows)["bench"])["bounds"]["data"]
    assert [trace["name"] for trace in lines] == ["ccp-alone", "ccp-dmax-0.1", "ccp-alone, first iteration"]
    assert all(trace["x"] == [1, 3] for trace in lines)
