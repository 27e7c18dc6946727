"""The line style of each method, the same in all figures and legends."""

from collections.abc import Mapping
from typing import Any

from credprop.report.of_bench.bench_formatting import CHOSEN_PER_CELL, PageData
from credprop.report.style import BLUE, GRAY, GREEN, ORANGE, RED, color, full, label

_STYLES = {
    CHOSEN_PER_CELL: (BLUE, "solid", 3.5),
    "supervised": (GRAY, "dash", 3.0),
    "ccp": (BLUE, "solid", 2.5),
    "ccp-alone": ("#56b4e9", "solid", 1.5),
    "ccp-untrusted": ("#56b4e9", "dot", 1.5),
    "ccp-paper": (BLUE, "dash", 1.5),
    "ccp-paper-untrusted": (BLUE, "dot", 1.5),
    "fixmatch": (ORANGE, "solid", 1.5),
    "fixmatch-da": (ORANGE, "dot", 1.5),
    "comatch": (GREEN, "solid", 1.5),
    "openmatch": ("#cc79a7", "solid", 1.5),
    "acr": (RED, "solid", 1.5),
    "seal": ("#8766b8", "dash", 1.5),
    "simclr": ("#b3a000", "solid", 1.5),
    "supcon": ("#b3a000", "dot", 1.5),
    "cclp": (GREEN, "dot", 1.5),
    "pseudo-label": (RED, "dot", 1.5),
    "logistic": (GRAY, "solid", 1.5),
    "label-spreading": (GRAY, "dot", 1.5),
    "self-training": (GRAY, "dashdot", 1.5),
    "control": ("#8766b8", "dot", 1.5),
}
SEVERITIES = (GRAY, "#56b4e9", BLUE, "#a0489b")  # the base case, then from mild to hard


def stroke(method: str) -> dict[str, Any]:
    """The line style of a method as a Plotly dictionary."""
    if method not in _STYLES:
        return {"color": color(sum(method.encode()) % 8), "dash": "longdash", "width": 1.5}
    return dict(zip(("color", "dash", "width"), _STYLES[method], strict=True))


def line(name: str, x: list[Any], y: list[Any], look: Mapping[str, Any], hover: str) -> dict[str, Any]:
    """A line trace with the name, as plain text, in its hover."""
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": label(name, 40),
        "x": x,
        "y": y,
        "line": dict(look),
        "marker": {"color": look["color"], "size": 4.5 + look["width"]},
        "customdata": [full(name)] * len(x),
        "hovertemplate": f"%{{customdata}}<br>{hover}<extra></extra>",
    }


def legend(bench: PageData) -> list[dict[str, str]]:
    """Every method with its line style, for the legend of the page."""
    names = [CHOSEN_PER_CELL] if bench["chosen"]["cells"] else []
    names += [name for name, own in bench["methods"].items() if own["normalized"]]
    return [{"name": name, **_css(stroke(name))} for name in names if name not in bench["ablations"]]


def _css(look: Mapping[str, Any]) -> dict[str, str]:
    styles = {"solid": "solid", "dot": "dotted", "dash": "dashed", "dashdot": "dashed", "longdash": "dashed"}
    return {"style": f"{look['width'] + 0.5}px {styles[look['dash']]} {look['color']}"}
