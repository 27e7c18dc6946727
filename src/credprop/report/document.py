"""HTML pages as single files: styles, scripts and figures inline, all user text escaped."""

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
    """The rendered template with its figures, styles and scripts; it makes no network requests."""
    from plotly.offline import get_plotlyjs

    environment = Environment(
        loader=PackageLoader("credprop.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["code_spans"] = code_spans
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
    """Nested settings as pairs of a dotted name and a value."""
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from flatten(value, f"{before}{name}.")
        else:
            yield before + name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def code_spans(text: str) -> Markup:
    """The escaped text, with text in backticks as code."""
    return Markup(re.sub("`([^`]+)`", r'<code class="flag">\1</code>', str(escape(text))))


def _source(environment: Environment, name: str) -> str:
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _hash(script: str) -> str:
    """The hash of a script for the content security policy, which lets no other script run."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
