"""The page from the content: one file, everything inline, everything from outside escaped."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from credprop.report import figures
from credprop.report.content import FORMAT
from credprop.report.map_figure import embedding_map
from credprop.report.style import Figure


def render(content: Mapping[str, Any]) -> str:
    """The report as HTML that asks the network for nothing; raises if the content is of another format."""
    if content.get("format") != FORMAT:
        raise ValueError(f"the report is of format {content.get('format')}; this version reads {FORMAT}")
    from plotly.offline import get_plotlyjs

    environment = Environment(
        loader=PackageLoader("credprop.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    scripts = [get_plotlyjs(), _source(environment, "report.js")]
    return environment.get_template("report.html").render(
        content,
        figures=all_figures(content),
        bar_height=_bar_height(len(content["distribution"]["rows"])),
        setting_rows=list(flatten(content["settings"])),
        metric_rows=list(flatten(content["metrics"])),
        css=Markup(_source(environment, "report.css")),
        scripts=[Markup(script) for script in scripts],
        hashes=Markup(" ".join(_hash(script) for script in scripts)),
    )


def all_figures(content: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure of the page by name; those that have nothing to show are left out."""
    drawn = {
        "distribution": figures.distribution(content),
        "verdicts": figures.strengths(content, "verdicts"),
        "map": embedding_map(content),
    }
    if content["strengths"]["truth"] is not None:
        drawn["truth"] = figures.strengths(content, "truth")
    if content["losses"]:
        drawn["losses"] = figures.losses(content)
    if content["iterations"]:
        drawn["progress"] = figures.progress(content)
        drawn["resets"] = figures.resets(content)
        drawn["divergences"] = figures.divergences(content)
    for i, sample in enumerate(content["watched"]):
        drawn[f"watched-{i}"] = figures.watched(content, sample)
    return drawn


def flatten(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Nested settings as rows of a dotted name and a value."""
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from flatten(value, f"{before}{name}.")
        else:
            yield before + name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _bar_height(rows: int) -> int:
    """Pixels for the bars of so many classes."""
    return 110 + rows * (40 if rows <= 12 else 30)


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _hash(script: str) -> str:
    """What the page's policy calls a script by: no script runs but those whose hash it names."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
