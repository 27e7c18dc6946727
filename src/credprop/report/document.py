"""A page as one file: everything inline, everything from outside escaped."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from credprop.report.style import Figure


def document(template: str, content: Mapping[str, Any], figures: Mapping[str, Figure], **values: Any) -> str:
    """The filled template as HTML that asks the network for nothing, with its figures, styles and scripts."""
    from plotly.offline import get_plotlyjs

    environment = Environment(
        loader=PackageLoader("credprop.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["coded"] = coded
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    scripts = [get_plotlyjs(), _source(environment, "report.js")]
    return environment.get_template(template).render(
        content,
        **values,
        figures=figures,
        css=Markup(_source(environment, "report.css")),
        scripts=[Markup(script) for script in scripts],
        hashes=Markup(" ".join(_hash(script) for script in scripts)),
    )


def flatten(settings: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Nested settings as rows of a dotted name and a value."""
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from flatten(value, f"{before}{name}.")
        else:
            yield before + name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def coded(text: str) -> Markup:
    """The text escaped, what stands in backticks in it as code."""
    return Markup(re.sub("`([^`]+)`", r'<code class="flag">\1</code>', str(escape(text))))


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _hash(script: str) -> str:
    """What the page's policy calls a script by: no script runs but those whose hash it names."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
