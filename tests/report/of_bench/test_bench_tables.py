"""The tables of a bench follow from its rows."""

from typing import Any

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


def test_the_table_marks_what_is_below_and_what_is_best() -> None:
    rows = small(
        supervised={"base": 0.8, "open-set-1": 0.7},
        fixmatch={"base": 0.75, "open-set-1": 0.9},
        cclp={"base": 0.8},
    )
    table = content_of(rows)["table"]
    assert [(g["name"], g["severities"]) for g in table["groups"]] == [("Base case", [0]), ("Open set", [1])]
    cells = {row["name"]: row["cells"] for row in table["rows"]}
    assert [cell["text"] for cell in cells["fixmatch"]] == ["75.0", "90.0"]
    assert [cell["below"] for cell in cells["fixmatch"]] == [True, False]
    assert [cell["best"] for cell in cells["fixmatch"]] == [False, True]
    assert [cell["best"] for cell in cells["supervised"]] == [True, False]
    assert cells["cclp"][1]["text"] == ""
    page = page_of(rows)
    assert page.text.count("▼") == 2  # the legend's and that of fixmatch
    assert ("aria-label", "below") in page.attributes


def test_ccp_with_the_variant_chosen_per_cell_is_a_row_of_its_own() -> None:
    rows = [
        make_row("ccp-alone", "open-set-1", accuracy=0.5, first_accuracy=0.6),
        make_row("ccp-untrusted", "noisy-label-1", accuracy=0.7, first_accuracy=0.1),
        make_row("supervised", "noisy-label-1", accuracy=0.8),
    ]
    named = {row["name"]: row["cells"] for row in content_of(rows)["table"]["rows"]}
    assert [cell["text"] for cell in named["CCP, variant chosen per cell"]] == ["60.0", "70.0"]
    assert [cell["below"] for cell in named["CCP, variant chosen per cell"]] == [False, True]


def test_standings_are_in_the_order_of_ranks_with_intervals_where_there_are_seeds() -> None:
    many, one = content_of(make_rows()), content_of(make_rows(seeds=1))
    ranks = [float(row["rank"]) for row in many["standings"]]
    assert ranks == sorted(ranks)
    assert len(ranks) == 17  # control is not ranked
    assert all(row["rank_interval"] for row in many["standings"])
    assert not any(row["rank_interval"] for row in one["standings"])
    assert "Intervals need more than one seed" in text_of(page_of(make_rows(seeds=1)))
    supervised = next(row for row in many["standings"] if row["name"] == "supervised")
    assert supervised["holm"] == supervised["below"] == ""


def test_iterations_are_also_a_table_with_and_without_subsampling() -> None:
    ends = [{"iteration": m, "pseudo_label_accuracy": share} for m, share in ((1, 0.5), (2, 0.625))]
    rows = [
        make_row("ccp-alone", "base", history=ends),
        make_row("ccp-no-subsampling", "base", history=ends[:1]),
        make_row("seal", "few-label-1", history=ends),
    ]
    table = content_of(rows)["iteration_table"]
    assert table["iterations"] == [1, 2]
    assert [(row["cell"], row["kind"], row["shares"]) for row in table["rows"]] == [
        ("base", "subsampling", ["50.0", "62.5"]),
        ("base", "no subsampling", ["50.0", ""]),
        ("few-label 1", "softmax", ["50.0", "62.5"]),
    ]
