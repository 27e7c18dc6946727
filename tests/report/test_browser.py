"""The page in a real browser: drawn, silent, within the screen, in light and dark."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from credprop.bench import make_page_data
from credprop.report import make_content, render
from credprop.report.of_bench import make_comparison, render_comparison
from report.example_benches import ABLATIONS, ABOUT, METHODS, make_row, make_rows
from report.example_runs import HOSTILE, make_evidence

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="no chromium, chromium-browser or google-chrome is installed"
    ),
]
NAMES = (HOSTILE, "<b>bold</b> &amp; <a href='https://x.y'>link</a>", "猫" * 60, "👩‍🔬")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    evidence = make_evidence(n=120, classes=NAMES, kind="images", title=HOSTILE, truth=np.arange(120) % 4)
    path: Path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render(make_content(evidence)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def noise() -> list[str]:
    """What a page did that it should not."""
    return []


def open_page(browser: Browser, file: Path, noise: list[str], width: int, scheme: Any) -> Page:
    page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
    page.set_default_timeout(120_000)  # milliseconds; a busy machine takes its time
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("dialog", lambda dialog: noise.append(dialog.message))
    page.on("request", lambda request: noise.append(request.url) if _leaves(request.url) else None)
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-drawn]", state="attached")
    return page


def _leaves(url: str) -> bool:
    return not url.startswith(("file:", "data:"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_is_drawn_and_silent_and_fits(
    browser: Browser, file: Path, noise: list[str], width: int, scheme: str
) -> None:
    page = open_page(browser, file, noise, width, scheme)
    drawn = page.evaluate(
        "() => [...document.querySelectorAll('[data-figure]')].map((plot) => [plot.dataset.figure,"
        " plot.querySelectorAll('svg .point path, svg .points path, svg .js-line').length])"
    )
    assert len(drawn) >= 9
    assert [name for name, marks in drawn if marks == 0] == []
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width
    assert noise == []
    page.context.close()


def test_hostile_names_are_text_in_legend_axis_map_and_hover(
    browser: Browser, file: Path, noise: list[str]
) -> None:
    page = open_page(browser, file, noise, 1280, "light")
    legend = page.locator("[data-figure=map] .legendtext").all_text_contents()
    ticks = page.locator("[data-figure=distribution] .ytick").all_text_contents()
    names = page.locator("[data-figure=map] .annotation-text").all_text_contents()
    assert all(any(text.startswith("<script>alert(1)") for text in texts) for texts in (legend, ticks, names))
    assert any(text.startswith("<b>bold</b> &amp;") for text in ticks)
    page.evaluate(
        "() => Plotly.Fx.hover(document.querySelector('[data-figure=distribution]'),"
        " [{ curveNumber: 0, pointNumber: 0 }])"
    )
    assert HOSTILE in " ".join(page.locator("[data-figure=distribution] .hoverlayer").all_text_contents())
    assert page.locator("h1").text_content() == HOSTILE
    assert page.locator("svg a, svg script").count() == 0
    assert noise == []
    page.context.close()


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of hostile, long, empty texts, in scripts that run either way."""
    said = (f"{HOSTILE}\nsecond line", "x" * 3_000, "word " * 9_000, "", "שלום עולם. " * 40, "👩‍🔬猫 " * 90)
    evidence = make_evidence(n=60, kind="text", texts=[said[i % 7 % 6] for i in range(60)])
    path: Path = tmp_path_factory.mktemp("texts") / "report.html"
    path.write_text(render(make_content(evidence)), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_texts_stay_text_and_within_the_screen_cut_or_whole(
    browser: Browser, texts: Path, noise: list[str], width: int, scheme: str
) -> None:
    page = open_page(browser, texts, noise, width, scheme)
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width
    cards = page.locator(".cards li")
    assert cards.count() == page.locator(".cards .text").count() == 12
    whole = page.locator(".cards .whole").first
    assert whole.evaluate("(words) => getComputedStyle(words).whiteSpace").startswith("pre-wrap")
    assert (
        page.locator(".cards .whole").evaluate_all("(all) => Math.max(...all.map((p) => p.clientHeight))")
        < 400
    )
    assert f"{HOSTILE} ↵ second line" in page.locator(".cards .text").all_text_contents()
    page.evaluate(
        "() => Plotly.Fx.hover(document.querySelector('[data-figure=map]'),"
        " [{ curveNumber: 1, pointNumber: 0 }])"
    )
    hover = page.locator("[data-figure=map] .hoverlayer").text_content()
    assert hover is not None
    assert any(words in hover for words in ("<script>alert(1)", "xxx", "word word", "(empty)", "שלום", "猫"))
    assert page.locator("script").count() == 3
    assert noise == []
    page.context.close()


def test_plots_follow_the_preference_when_it_changes(browser: Browser, file: Path, noise: list[str]) -> None:
    page = open_page(browser, file, noise, 1280, "light")
    color = "() => getComputedStyle(document.querySelector('[data-figure=losses] .xtick text')).fill"
    light = page.evaluate(color)
    page.emulate_media(color_scheme="dark")
    page.wait_for_timeout(500)
    dark = page.evaluate(color)
    assert (light, dark) == ("rgb(27, 31, 36)", "rgb(232, 235, 239)")
    page.emulate_media(color_scheme="dark", media="print")
    page.wait_for_timeout(500)
    assert page.evaluate(color) == light
    assert noise == []
    page.context.close()


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of every method and ablation in every cell, one of them with a hostile name."""
    rows = make_rows((*METHODS, *ABLATIONS, HOSTILE), data=HOSTILE)
    rows.append(make_row("ccp", "base", 3, error=HOSTILE, accuracy=None))
    path: Path = tmp_path_factory.mktemp("bench") / "bench.html"
    content = make_comparison(make_page_data(rows), ABOUT, "0.1.0")
    path.write_text(render_comparison(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_the_page_of_a_bench_is_drawn_and_silent_and_its_wide_tables_scroll_by_themselves(
    browser: Browser, bench: Path, noise: list[str], width: int, scheme: str
) -> None:
    page = open_page(browser, bench, noise, width, scheme)
    drawn = page.evaluate(
        "() => [...document.querySelectorAll('[data-figure]')].map((plot) => [plot.dataset.figure,"
        " plot.querySelectorAll('svg .point, svg .points path, svg .js-line').length])"
    )
    assert len(drawn) >= 25
    assert [name for name, marks in drawn if marks == 0] == []
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width
    box = page.locator("#table .scroll").first
    wide, shown = (box.evaluate(f"(box) => box.{side}") for side in ("scrollWidth", "clientWidth"))
    assert wide > shown or width > 400
    assert page.locator("h1").text_content() == HOSTILE
    assert page.locator("svg a, svg script").count() == 0
    assert noise == []
    page.context.close()
