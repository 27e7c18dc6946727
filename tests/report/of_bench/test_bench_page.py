"""The page of a bench can be drawn from any rows, and text in them never becomes HTML."""

import json
import re
from typing import Any

import plotly.graph_objects as go
import pytest

from credprop.bench import make_page_data
from credprop.report.of_bench import make_comparison, render_comparison
from credprop.report.of_bench.bench_page import all_figures
from report.example_benches import ABLATIONS, ABOUT, CELLS, METHODS, make_row, make_rows
from report.example_runs import HOSTILE
from report.test_page import QUOTES, Page

Rows = list[dict[str, Any]]


def content_of(rows: Rows, about: dict[str, Any] | None = None) -> dict[str, Any]:
    return make_comparison(make_page_data(rows), ABOUT if about is None else about, "0.1.0")


def page_of(rows: Rows) -> Page:
    return Page(render_comparison(content_of(rows)))


def text_of(page: Page) -> str:
    return " ".join(" ".join(page.text).split())


def test_what_was_not_run_is_reported_with_the_command_that_runs_it() -> None:
    text = text_of(page_of(make_rows(("supervised", "ccp-alone"), ("base", "few-label-1"), 2)))
    command = (
        "credprop bench --data digits --method ablations --scenario base few-label-1 --seeds 2 --out DIR"
    )
    assert "The ablations (a single loss" in text
    assert "Runs without subsampling are missing." in text
    assert "Runs with softmax (seal) are missing." in text
    assert command in text


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([], id="no row"),
        pytest.param(make_rows(("ccp-alone",), ("base",), 1), id="one run"),
        pytest.param(make_rows(("logistic",), ("open-set-2",), 2), id="no iterations and no base case"),
        pytest.param(make_rows(("supervised",), CELLS, 1), id="the baseline alone"),
        pytest.param(make_rows(("control",), CELLS[:2], 1), id="nothing ranked"),
        pytest.param(make_rows(ABLATIONS, CELLS[:4], 1), id="ablations without ccp"),
        pytest.param(make_rows((*METHODS, *ABLATIONS), CELLS, 3), id="everything"),
        pytest.param(make_rows(seeds=2)[::7], id="a bench that was stopped"),
        pytest.param(
            [make_row("ccp-alone", "base", error="x", accuracy=None), make_row("seal", "base")],
            id="a failure",
        ),
        pytest.param([make_row("ccp-alone", "base", accuracy=0.0)], id="zero"),
        pytest.param(
            [make_row("ccp-alone", "my-cell", samples=None, steps=None)], id="a cell of no known name"
        ),
        pytest.param([make_row("ccp-alone", "base", history=[], watched=None)], id="nothing tracked"),
    ],
)
def test_every_bench_is_drawn_and_every_figure_has_its_place(rows: Rows) -> None:
    content = content_of(rows)
    json.dumps(content, allow_nan=False)
    page, figures = Page(render_comparison(content)), all_figures(content["bench"])
    for figure in figures.values():
        go.Figure(figure)  # raises on a property that plotly does not know
    drawn = [str(value) for name, value in page.attributes if name == "data-figure"]
    assert sorted(drawn) == sorted(figures)


def test_failed_runs_are_listed_with_their_errors() -> None:
    rows = [
        make_row("ccp-alone", "few-label-2", i, error=f"RuntimeError: it broke {i}", accuracy=None)
        for i in range(60)
    ]
    text = text_of(page_of([*rows, make_row("supervised", "base")]))
    assert "few-label 2 0 RuntimeError: it broke 0" in text
    assert "The first 50 of 60." in text
    assert "it broke 50" not in text


def hostile() -> Rows:
    rows = make_rows((HOSTILE, "supervised", "ccp-alone", QUOTES), ("base", "few-label-1"), 2, data=HOSTILE)
    rows.append(make_row("ccp-alone", "open-set-1", scenario=f"{QUOTES}", data=HOSTILE))
    rows.append(make_row("seal", "base", error=f"{HOSTILE}{{{{ 7 * 7 }}}}", accuracy=None))
    return rows


def test_nothing_in_the_rows_becomes_an_element() -> None:
    about = ABOUT | {"commands": [f"credprop {HOSTILE}"], QUOTES: HOSTILE}
    page = Page(render_comparison(content_of(hostile(), about)))
    plain = page_of(make_rows(("supervised", "ccp-alone", "cclp"), ("base", "few-label-1"), 2))
    assert page.tags.count("script") == 3
    assert set(page.tags) <= set(plain.tags)
    assert {name for name, _ in page.attributes} == {name for name, _ in plain.attributes}
    assert HOSTILE in "".join(page.text)
    assert "{{ 7 * 7 }}" in "".join(page.text)


def test_figures_hold_no_tag_of_the_rows_and_no_template_of_theirs() -> None:
    rows = make_rows(("%{x}", HOSTILE, "supervised", "ccp-alone"), ("base", "few-label-1"), 2)
    figures = all_figures(content_of(rows)["bench"])
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


def test_the_command_to_repeat_comes_from_the_folder_or_else_from_the_rows() -> None:
    rows = make_rows(("ccp-alone",), ("base",), 2, data="my data.csv")
    assert content_of(rows)["commands"] == ABOUT["commands"]
    assert content_of(rows, {})["commands"] == [
        "credprop bench --data 'my data.csv' --method ccp-alone --scenario base --seeds 2 --out DIR"
    ]
    about = dict(content_of(rows)["about_rows"])
    assert about["fingerprint of the data"] == "0f3a" * 16
    assert about["versions.torch"] == "2.13.0"
