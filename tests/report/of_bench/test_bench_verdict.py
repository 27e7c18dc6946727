"""The verdict of a bench follows from its rows."""

from typing import Any

import pytest

from credprop.bench import make_page_data
from credprop.report.of_bench import make_comparison, render_comparison
from report.example_benches import ABOUT, make_row, make_rows
from report.test_page import Page

Rows = list[dict[str, Any]]


def content_of(rows: Rows, about: dict[str, Any] | None = None) -> dict[str, Any]:
    return make_comparison(make_page_data(rows), ABOUT if about is None else about, "0.1.0")


def page_of(rows: Rows) -> Page:
    return Page(render_comparison(content_of(rows)))


def text_of(page: Page) -> str:
    return " ".join(" ".join(page.text).split())


def small(**accuracies: dict[str, float]) -> Rows:
    """One seed of these methods, underscores in place of hyphens, in these cells."""
    return [
        make_row(name.replace("_", "-"), cell, accuracy=value, first_accuracy=None)
        for name, cells in accuracies.items()
        for cell, value in cells.items()
    ]


def test_the_verdict_counts_cells_and_names_those_that_are_below() -> None:
    base = {"base": 0.9, "few-label-1": 0.8, "few-label-2": 0.7}
    ahead = content_of(small(supervised=base, ccp_alone=base))["verdict"]
    assert ahead["tone"] == "ahead"
    assert ahead["headline"] == "CCP: at or above the supervised baseline in all 3 cells"
    ccp = {"base": 0.95, "few-label-1": 0.78, "few-label-2": 0.699}
    behind = content_of(small(supervised=base, ccp_alone=ccp))["verdict"]
    assert behind["tone"] == "behind"
    assert behind["headline"] == "CCP: at or above the supervised baseline in 1 of 3 cells"
    assert (
        "It is below in few-label 1 2; the largest gap is in few-label 1, 2.0 points." in behind["sentences"]
    )
    assert "Below the supervised baseline: `ccp-alone` in 2 of 3." in behind["sentences"]
    close = content_of(small(supervised=base, ccp_alone=base | {"base": 0.896}))["verdict"]
    assert close["tone"] == "level"
    assert "It is below in base, by 0.4 points." in close["sentences"]


def test_the_verdict_names_the_best_and_those_never_below() -> None:
    rows = small(
        supervised={"base": 0.8, "few-label-1": 0.7},
        ccp_alone={"base": 0.85, "few-label-1": 0.75},
        fixmatch={"base": 0.9, "few-label-1": 0.6},
    )
    sentences = " ".join(content_of(rows)["verdict"]["sentences"])
    assert (
        "Of 3 ranked methods, `ccp-alone` has the best mean rank, 1.5, and is best in 1 of 2 cells."
        in sentences
    )
    assert "Never below the supervised baseline: `ccp-alone`." in sentences
    assert "Below the supervised baseline: `fixmatch` in 1 of 2." in sentences
    cards = [card["value"] for card in content_of(rows)["verdict"]["findings"]]
    assert cards == ["2 of 2", "+5.0", "5.0", "6"]


@pytest.mark.parametrize(
    ("rows", "headline"),
    [
        ([], "No run has finished yet"),
        ([make_row("ccp-alone", "base", error="it broke", accuracy=None)], "Every run failed"),
        ([make_row("ccp-alone", "base")], "The supervised baseline was not run"),
        ([make_row("supervised", "base")], "CCP was not run in the cells of the supervised baseline"),
        (
            make_rows(("supervised", "ccp-alone"), ("base",), 1),
            "CCP: at or above the supervised baseline in the one cell",
        ),
    ],
)
def test_a_bench_without_evidence_says_so(rows: Rows, headline: str) -> None:
    assert content_of(rows)["verdict"]["headline"] == headline
    assert headline in text_of(page_of(rows))
