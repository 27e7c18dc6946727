"""The page of a bench says what its rows say, whatever they are, and nothing in them becomes an element."""

import json
import re
from typing import Any

import plotly.graph_objects as go
import pytest

from credprop.bench import make_page_data
from credprop.report.of_bench import make_comparison, render_comparison
from credprop.report.of_bench.bench_formatting import grouped, listed
from credprop.report.of_bench.bench_page import all_figures
from report.benches import ABLATIONS, ABOUT, CELLS, METHODS, make_row, make_rows
from report.test_page import QUOTES, Page
from report.worlds import HOSTILE

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
    ahead = content_of(small(supervised=base, ccp=base))["verdict"]
    assert ahead["tone"] == "ahead"
    assert ahead["headline"] == "CCP is at or above the labels alone in all 3 cells"
    ccp = {"base": 0.95, "few-label-1": 0.78, "few-label-2": 0.699}
    behind = content_of(small(supervised=base, ccp=ccp))["verdict"]
    assert behind["tone"] == "behind"
    assert behind["headline"] == "CCP is at or above the labels alone in 1 of 3 cells"
    assert "It is below in few-label 1 2; farthest in few-label 1, by 2.0 points." in behind["sentences"]
    assert "Below the labels alone: `ccp` in 2 of 3." in behind["sentences"]
    close = content_of(small(supervised=base, ccp=base | {"base": 0.896}))["verdict"]
    assert close["tone"] == "level"
    assert "It is below in base, by 0.4 points." in close["sentences"]


def test_the_verdict_names_the_best_and_those_never_below() -> None:
    rows = small(
        supervised={"base": 0.8, "few-label-1": 0.7},
        ccp={"base": 0.85, "few-label-1": 0.75},
        fixmatch={"base": 0.9, "few-label-1": 0.6},
    )
    sentences = " ".join(content_of(rows)["verdict"]["sentences"])
    assert "Of 3 ranked methods `ccp` has the best mean rank, 1.5, and is first in 1 of 2 cells." in sentences
    assert "Never below the labels alone: `ccp`." in sentences
    assert "Below the labels alone: `fixmatch` in 1 of 2." in sentences
    cards = [card["value"] for card in content_of(rows)["verdict"]["findings"]]
    assert cards == ["2 of 2", "+5.0", "5.0", "6"]


@pytest.mark.parametrize(
    ("rows", "headline"),
    [
        ([], "No run is done yet"),
        ([make_row("ccp", "base", error="it broke", accuracy=None)], "Every run failed"),
        ([make_row("ccp", "base")], "The baseline, supervised, was not run"),
        ([make_row("supervised", "base")], "CCP was not run beside the labels alone"),
        (
            make_rows(("supervised", "ccp"), ("base",), 1),
            "CCP is at or above the labels alone in the one cell",
        ),
    ],
)
def test_a_bench_that_cannot_tell_says_so(rows: Rows, headline: str) -> None:
    assert content_of(rows)["verdict"]["headline"] == headline
    assert headline in text_of(page_of(rows))


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


def test_ccp_as_in_the_paper_is_a_row_of_its_own() -> None:
    rows = [
        make_row("ccp", "open-set-1", accuracy=0.5, first_accuracy=0.6),
        make_row("ccp-untrusted", "noisy-label-1", accuracy=0.7, first_accuracy=0.1),
        make_row("supervised", "noisy-label-1", accuracy=0.8),
    ]
    named = {row["name"]: row["cells"] for row in content_of(rows)["table"]["rows"]}
    assert [cell["text"] for cell in named["CCP as in the paper"]] == ["60.0", "70.0"]
    assert [cell["below"] for cell in named["CCP as in the paper"]] == [False, True]


def test_standings_are_in_the_order_of_ranks_with_intervals_where_there_are_seeds() -> None:
    many, one = content_of(make_rows()), content_of(make_rows(seeds=1))
    ranks = [float(row["rank"]) for row in many["standings"]]
    assert ranks == sorted(ranks)
    assert len(ranks) == 16  # control is not ranked
    assert all(row["rank_interval"] for row in many["standings"])
    assert not any(row["rank_interval"] for row in one["standings"])
    assert "One seed has no interval" in text_of(page_of(make_rows(seeds=1)))
    supervised = next(row for row in many["standings"] if row["name"] == "supervised")
    assert supervised["holm"] == supervised["below"] == ""


def test_curves_are_relative_to_the_base_case_on_one_scale() -> None:
    rows = small(supervised={"base": 0.8, "few-label-1": 0.6, "open-set-2": 0.72}, cclp={"few-label-1": 0.3})
    figures = all_figures(content_of(rows)["found"])
    few, strangers = figures["sensitivity-few-label"], figures["sensitivity-open-set"]
    assert [trace["name"] for trace in few["data"]] == ["supervised"]  # cclp has no base case
    assert few["data"][0]["y"] == pytest.approx([1, 0.75])
    assert (strangers["data"][0]["x"], strangers["data"][0]["y"]) == ([0, 2], pytest.approx([1, 0.9]))
    assert few["layout"]["yaxis"]["range"] == strangers["layout"]["yaxis"]["range"]


def test_iterations_are_drawn_with_and_without_subsampling_and_with_softmax() -> None:
    rows = make_rows(("ccp", "ccp-no-subsampling", "seal"), ("base", "few-label-3"), 2)
    figures = all_figures(content_of(rows)["found"])
    dashes = [trace["line"]["dash"] for trace in figures["subsampling-few-label"]["data"]]
    assert dashes == ["solid", "solid", "dash", "dash"]
    assert len(figures["softmax-few-label"]["data"]) == len(figures["strengths-base"]["data"]) == 4
    assert figures["resets"]["data"][0]["x"] == [1, 2, 3, 4, 5, 6]
    assert [trace["name"] for trace in figures["divergences"]["data"]][-1] == "bound d_max"
    assert "moves-0" in figures
    assert len(figures["variance"]["data"]) == 3


def test_iterations_are_also_a_table_with_and_without_subsampling() -> None:
    ends = [{"iteration": m, "pseudo_label_accuracy": share} for m, share in ((1, 0.5), (2, 0.625))]
    rows = [
        make_row("ccp", "base", history=ends),
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


def test_ablations_are_answers_in_words() -> None:
    rows = small(
        ccp={"base": 0.9, "few-label-1": 0.8},
        ccp_no_reset={"base": 0.88, "few-label-1": 0.8},
        seal={"base": 0.91},
        ccp_subsample_final={"base": 0.9},
    )
    answers = {row["name"]: row for row in content_of(rows)["answers"]}
    assert answers["ccp-no-reset"]["accuracy"] == "1.0 point lower"
    assert answers["ccp-no-reset"]["cells"] == "lower than ccp in 1 of 2 cells"
    assert answers["seal"]["accuracy"] == "1.0 point higher"
    assert answers["ccp-subsample-final"]["accuracy"] == "no difference"


def test_bounds_are_compared_on_strangers() -> None:
    rows = make_rows(("ccp", "ccp-dmax-0.1", "ccp-no-reset"), ("open-set-1", "open-set-3"), 1)
    lines = all_figures(content_of(rows)["found"])["bounds"]["data"]
    assert [trace["name"] for trace in lines] == ["ccp", "ccp-dmax-0.1", "ccp, first iteration"]
    assert all(trace["x"] == [1, 3] for trace in lines)


def test_what_was_not_run_is_said_with_the_command_that_runs_it() -> None:
    text = text_of(page_of(make_rows(("supervised", "ccp"), ("base", "few-label-1"), 2)))
    command = (
        "credprop bench --data digits --method ablations --scenario base few-label-1 --seeds 2 --out DIR"
    )
    assert "The ablations (one loss alone" in text
    assert "Runs without subsampling are not among the results." in text
    assert "Runs with softmax (seal) are not among the results." in text
    assert command in text


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([], id="no row"),
        pytest.param(make_rows(("ccp",), ("base",), 1), id="one run"),
        pytest.param(make_rows(("logistic",), ("open-set-2",), 2), id="no iterations and no base case"),
        pytest.param(make_rows(("supervised",), CELLS, 1), id="the baseline alone"),
        pytest.param(make_rows(("control",), CELLS[:2], 1), id="nothing ranked"),
        pytest.param(make_rows(ABLATIONS, CELLS[:4], 1), id="ablations without ccp"),
        pytest.param(make_rows((*METHODS, *ABLATIONS), CELLS, 3), id="everything"),
        pytest.param(make_rows(seeds=2)[::7], id="a bench that was stopped"),
        pytest.param(
            [make_row("ccp", "base", error="x", accuracy=None), make_row("seal", "base")], id="a failure"
        ),
        pytest.param([make_row("ccp", "base", accuracy=0.0)], id="zero"),
        pytest.param([make_row("ccp", "my-cell", samples=None, steps=None)], id="a cell of no known name"),
        pytest.param([make_row("ccp", "base", history=[], watched=None)], id="nothing watched"),
    ],
)
def test_every_bench_is_drawn_and_every_figure_has_its_place(rows: Rows) -> None:
    content = content_of(rows)
    json.dumps(content, allow_nan=False)
    page, figures = Page(render_comparison(content)), all_figures(content["found"])
    for figure in figures.values():
        go.Figure(figure)  # raises on a property that plotly does not know
    drawn = [str(value) for name, value in page.attributes if name == "data-figure"]
    assert sorted(drawn) == sorted(figures)


def test_failed_runs_are_listed_with_their_errors() -> None:
    rows = [
        make_row("ccp", "few-label-2", i, error=f"RuntimeError: it broke {i}", accuracy=None)
        for i in range(60)
    ]
    text = text_of(page_of([*rows, make_row("supervised", "base")]))
    assert "few-label 2 0 RuntimeError: it broke 0" in text
    assert "The first 50 of 60." in text
    assert "it broke 50" not in text


def hostile() -> Rows:
    rows = make_rows((HOSTILE, "supervised", "ccp", QUOTES), ("base", "few-label-1"), 2, data=HOSTILE)
    rows.append(make_row("ccp", "open-set-1", scenario=f"{QUOTES}", data=HOSTILE))
    rows.append(make_row("seal", "base", error=f"{HOSTILE}{{{{ 7 * 7 }}}}", accuracy=None))
    return rows


def test_nothing_in_the_rows_becomes_an_element() -> None:
    about = ABOUT | {"commands": [f"credprop {HOSTILE}"], QUOTES: HOSTILE}
    page = Page(render_comparison(content_of(hostile(), about)))
    plain = page_of(make_rows(("supervised", "ccp", "cclp"), ("base", "few-label-1"), 2))
    assert page.tags.count("script") == 3
    assert set(page.tags) <= set(plain.tags)
    assert {name for name, _ in page.attributes} == {name for name, _ in plain.attributes}
    assert HOSTILE in "".join(page.text)
    assert "{{ 7 * 7 }}" in "".join(page.text)


def test_figures_hold_no_tag_of_the_rows_and_no_template_of_theirs() -> None:
    rows = make_rows(("%{x}", HOSTILE, "supervised", "ccp"), ("base", "few-label-1"), 2)
    figures = all_figures(content_of(rows)["found"])
    tags = set(re.findall(r"<[^>]*>", json.dumps(figures)))
    assert tags <= {"<br>", "<extra>", "</extra>"}
    templates = [t.get("hovertemplate", "") for figure in figures.values() for t in figure["data"]]
    assert not [text for text in templates if "&lt;" in text or text.count("%{x}") > 1]


def test_the_page_asks_for_nothing() -> None:
    page = page_of(hostile())
    values = [value or "" for name, value in page.attributes if name in {"src", "href", "action"}]
    assert all(value.startswith("#") for value in values)
    assert not {"link", "iframe", "object", "embed", "form", "base", "img"} & set(page.tags)


def test_the_largest_bench_makes_a_page_under_six_megabytes() -> None:
    assert len(render_comparison(content_of(make_rows())).encode()) < 6_000_000


def test_how_to_repeat_is_what_the_folder_remembers_or_else_what_the_rows_tell() -> None:
    rows = make_rows(("ccp",), ("base",), 2, data="my data.csv")
    assert content_of(rows)["commands"] == ABOUT["commands"]
    assert content_of(rows, {})["commands"] == [
        "credprop bench --data 'my data.csv' --method ccp --scenario base --seeds 2 --out DIR"
    ]
    about = dict(content_of(rows)["about_rows"])
    assert about["fingerprint of the data"] == "0f3a" * 16
    assert about["versions.torch"] == "2.13.0"


def test_words() -> None:
    assert grouped(["base", "few-label-1", "few-label-3", "my-cell"]) == "base, few-label 1 3, my-cell"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(list("abcdef"), 4) == "a, b, c and 3 more"
