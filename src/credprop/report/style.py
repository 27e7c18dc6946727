"""Shared by all figures: colors, escaped labels, axes and layout."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from credprop.report.formatting import shorten

Figure = dict[str, Any]
Content = Mapping[str, Any]

BLUE, ORANGE, GREEN, RED, GRAY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#8a8f98"
LIGHT_BLUE = "#56b4e9"
# The color-blind safe palette of Okabe and Ito, without yellow and black, which are too faint on white or
# black.
_PALETTE = (BLUE, ORANGE, GREEN, "#cc79a7", LIGHT_BLUE, RED, "#b3a000", "#8766b8")


def label(text: str, width: int = 24) -> str:
    """A short text, escaped for Plotly."""
    return escape(shorten(text, width))


def full(text: str) -> str:
    """A text wrapped into lines for hover, escaped for Plotly."""
    return "<br>".join(escape(line) for line in textwrap.wrap(text, 48)) or "&nbsp;"


def escape(text: str) -> str:
    """The text with characters escaped that Plotly would read as tags or entities."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def color(code: int) -> str:
    """The color of a class; after eight classes colors repeat, lighter, then darker."""
    if code < 0:
        return GRAY
    base, turn = _PALETTE[code % len(_PALETTE)], code // len(_PALETTE) % 3
    other, share = ((0, 0.0), (255, 0.45), (0, 0.4))[turn]
    parts = (int(base[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part + (other - part) * share):02x}" for part in parts)


def figure(data: Sequence[Mapping[str, Any]], **layout: Any) -> Figure:
    """Traces with the shared layout."""
    shared: dict[str, Any] = {
        "margin": {"l": 12, "r": 16, "t": 12, "b": 12},
        "hovermode": "closest",
        "dragmode": False,
        "showlegend": len(data) > 1,
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
    }
    for name, side in (
        ("xaxis", "bottom"),
        ("yaxis", "left"),
    ):  # automargin on all sides lets margins oscillate
        shared[name] = {"automargin": side} | layout.pop(name)
    return {"data": list(data), "layout": shared | layout}


def axis(title: str = "", **options: Any) -> dict[str, Any]:
    """An axis without zoom."""
    named = {"title": {"text": title}} if title else {}
    return named | {"fixedrange": True} | options
