"""The page is one file, shows what was given as text, and draws whatever comes."""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from credprop.report import make_content, render
from credprop.report.document import flatten
from credprop.report.page import all_figures
from report.example_runs import HOSTILE, make_evidence

QUOTES = "\"'><img src=x onerror=alert(1)>"
ODD = (
    HOSTILE,
    "</script><!--\u2028{{ 7 * 7 }}%{x}",
    "<b>bold</b> &amp; <a href='https://x.y'>link</a>",
    QUOTES,
)
SCRIPTS = ("猫", "👩‍🔬", "שלום", "x" * 500, "", "\x00\u202e")


class Page(HTMLParser):
    """Elements, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.scripts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        (self.scripts if self.tags[-1:] == ["script"] else self.text).append(data)


def page_of(**options: Any) -> Page:
    return Page(render(make_content(make_evidence(**options))))


def hostile_page(kind: str = "text") -> Page:
    evidence = make_evidence(classes=ODD, kind=kind, columns=ODD * 2)
    evidence.frame["id"] = [ODD[i % len(ODD)] for i in range(len(evidence))]
    settings = {QUOTES: {HOSTILE: HOSTILE}}
    other = {
        "title": HOSTILE,
        "command": QUOTES,
        "settings": settings,
        "version": HOSTILE,
        "frame": evidence.frame,
    }
    return page_of(classes=ODD, kind=kind, columns=ODD * 2, **other)


@pytest.mark.parametrize("kind", ["text", "vectors", "images"])
def test_what_the_user_gave_is_text_and_never_an_element(kind: str) -> None:
    page, plain = hostile_page(kind), page_of(classes="abcd", kind=kind, columns="abcdefgh")
    assert page.tags.count("script") == plain.tags.count("script") == 3
    assert set(page.tags) == set(plain.tags)
    assert {name for name, _ in page.attributes} == {name for name, _ in plain.attributes}
    text = "".join(page.text)
    assert all(odd.replace("\u2028", " ") in text for odd in ODD)
    assert "49" not in "".join(page.text[:20])


def test_figures_are_json_in_the_page_with_no_tag_of_the_users() -> None:
    page = hostile_page()
    figures = json.loads(page.scripts[0])
    assert "<" not in page.scripts[0]
    assert "\u2028" not in page.scripts[0]
    texts = set(re.findall(r"<[^>]*>", json.dumps(figures)))
    assert texts <= {"<br>", "<b>", "</b>", "<extra>", "</extra>"}
    ticks = figures["distribution"]["layout"]["yaxis"]["ticktext"]
    assert ticks[0] == "&lt;script&gt;alert(1)&lt;/scrip…"


def test_no_text_of_the_user_is_in_a_template_of_plotly() -> None:
    for figure in all_figures(make_content(make_evidence(classes=("%{x}", "a"), n=30))).values():
        assert all("%{x}" not in trace.get("name", "") or trace["hovertemplate"] for trace in figure["data"])
        templates = [trace.get("hovertemplate", "") for trace in figure["data"]]
        assert not [text for text in templates if "&lt;" in text or text.count("%{x}") > 1]


def test_a_text_is_never_an_element_wherever_the_page_shows_it() -> None:
    odd = f"{HOSTILE}\n</p></details></script><!-- {QUOTES} {{{{ 7 * 7 }}}}"
    texts = [f"{i} {odd} {'x ' * 300}" for i in range(40)]
    page, plain = page_of(kind="text", texts=texts), page_of(kind="text", texts=["a\nb"] * 40)
    assert set(page.tags) == set(plain.tags)
    assert {name for name, _ in page.attributes} == {name for name, _ in plain.attributes}
    assert [page.tags.count(tag) for tag in ("script", "p")] == [
        plain.tags.count(tag) for tag in ("script", "p")
    ]
    assert odd in "".join(page.text)  # the whole text, with its line ends
    assert HOSTILE in "".join(page.text).partition("Credibility over epochs")[2]
    assert "<" not in page.scripts[0]
    hovers = [
        row[-1] for trace in json.loads(page.scripts[0])["map"]["data"] for row in trace.get("customdata", ())
    ]
    assert len(hovers) == 40
    assert all("&lt;script&gt;" in hover and "↵" in hover for hover in hovers)


def test_content_from_before_there_were_texts_can_be_drawn() -> None:
    content = make_content(make_evidence())
    del content["map"]["text"]
    assert Page(render(content)).tags


def test_the_page_asks_for_nothing() -> None:
    page = hostile_page("images")
    asking = {"src", "href", "srcset", "action", "poster", "data", "background", "xlink:href"}
    values = [value or "" for name, value in page.attributes if name in asking]
    assert all(value.startswith(("#", "data:image/png;base64,")) for value in values)
    assert not {"link", "iframe", "object", "embed", "form", "base"} & set(page.tags)
    style = "".join(page.text)[:20_000]
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_of_the_page_lets_no_other_script_run() -> None:
    policy = next(v for name, v in page_of().attributes if name == "content" and v and "default-src" in v)
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert re.search(r"script-src ('sha256-[\w+/=]+' ?){2};", policy)


def test_headings_are_in_order_and_images_have_words() -> None:
    html = render(make_content(make_evidence(kind="images")))
    levels = [int(level) for level in re.findall(r"<h([1-6])", html[: html.index("application/json")])]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert html.count("<img ") == html.count('alt="sample')
    assert '<html lang="en">' in html


DEGENERATE: dict[str, dict[str, Any]] = {
    "everything labeled": {"share": 1.0},
    "nothing labeled": {"share": 0.0},
    "no label issues": {"issues": False},
    "two classes": {"classes": ("a", "b")},
    "a hundred classes": {"classes": [f"class {i}" for i in range(100)], "n": 300},
    "five rows": {"n": 5},
    "one row": {"n": 1},
    "no history": {"history": []},
    "an epoch a stage": {"epochs": 1},
    "nothing tracked": {"tracked": []},
    "names of all scripts": {"classes": SCRIPTS},
    "no credibility": {"q": np.zeros((40, 3))},
    "one place": {"embedding": np.zeros((40, 4))},
    "no place": {"embedding": np.full((40, 4), np.nan)},
    "nothing suggested": {"suggested": np.full((40, 3), np.nan)},
    "outliers only": {"truth": np.full(40, -1)},
    "known truth": {"truth": np.arange(40) % 3},
    "texts": {"kind": "text"},
    "empty texts": {"kind": "text", "texts": [""] * 40},
    "images": {"kind": "images"},
    "no figures": {"metrics": {}},
    "no settings": {"settings": {}},
}


@pytest.mark.parametrize("options", DEGENERATE.values(), ids=DEGENERATE)
def test_degenerate_runs_are_drawn(options: dict[str, Any]) -> None:
    content = make_content(make_evidence(**options))
    page = Page(render(content))
    json.dumps(content, allow_nan=False)
    for figure in all_figures(content).values():
        go.Figure(figure)  # raises on a property that plotly does not know
    drawn = [value for name, value in page.attributes if name == "data-figure"]
    assert sorted(map(str, drawn)) == sorted(all_figures(content))


def test_numbers_that_are_missing_are_missing_on_the_page() -> None:
    evidence = make_evidence()
    evidence.frame["outlier_score"] = np.nan
    evidence.frame["label_quality"] = np.nan
    page = Page(render(make_content(make_evidence(frame=evidence.frame))))
    assert "quality unknown" in "".join(page.text)
    assert "nan" not in "".join(page.text)


def test_the_page_can_be_drawn_again_from_its_json() -> None:
    content = make_content(make_evidence())
    assert render(json.loads(json.dumps(content))) == render(content)


def test_content_of_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="its format is 99"):
        render(make_content(make_evidence()) | {"format": 99})


def test_the_page_is_under_eight_megabytes_and_holds_plotly_once() -> None:
    html = render(make_content(make_evidence(n=300)))
    assert len(html.encode()) < 8_000_000
    assert html.count("plotly.js v") == 1


@pytest.mark.parametrize(("settings", "rows"), [({"a": {"b": 1, "c": {}}}, [("a.b", "1"), ("a.c", "{}")])])
def test_settings_are_flattened(settings: dict[str, Any], rows: Sequence[tuple[str, str]]) -> None:
    assert list(flatten(settings)) == rows


def test_an_iteration_that_settled_instead_of_training_is_shown() -> None:
    settled = {"stage": "refine", "iteration": 1, "epoch": 1, "rounds": 8, "p": 3, "labeled": 11}
    learned = {"stage": "refine", "iteration": 1, "epoch": 1, "loss": 1.0, "p": 3, "labeled": 11}
    said = "the first iteration did not train the network"
    assert said in " ".join(page_of(history=[settled]).text)
    assert "propagated 8 times" in " ".join(page_of(history=[settled]).text)
    assert said not in " ".join(page_of(history=[learned]).text)
    losses = make_content(make_evidence(history=[settled, learned | {"iteration": 2}]))["losses"]
    assert [(line["iteration"], line["x"]) for line in losses] == [(2, [2])]


@pytest.mark.parametrize(("agreed", "little"), [(0.93, False), (0.42, True)])
def test_how_far_labels_agree_with_a_regression_on_them_is_shown(agreed: float, little: bool) -> None:
    built = {"stage": "build", "iteration": 0, "epoch": 1, "loss": 1.0, "agreement": agreed}
    text = " ".join(page_of(history=[built]).text)
    assert f"kappa of {agreed}" in text
    assert ("--no-trust" in text) == little
    assert "kappa" not in " ".join(page_of(history=[{"stage": "build", "epoch": 1}]).text)


def test_a_page_of_an_older_run_is_drawn_again() -> None:
    content = make_content(make_evidence())
    del content["agreement"]
    assert "kappa" not in render(content)
