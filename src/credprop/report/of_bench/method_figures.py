"""Figures of the comparison: sensitivity, standings, cost; plotly's terms, as plain dictionaries."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from credprop.report.of_bench.line_styles import line, stroke
from credprop.report.of_bench.method_words import AS_IN_PAPER, Found, parted
from credprop.report.style import BLUE, GRAY, Figure, axis, figure, full, label


def sensitivity(found: Found, scenario: str) -> Figure:
    """Accuracy as a multiple of the base case's over the severities of one data variable, a line a method."""
    data = []
    for name, cells in _relative(found).items():
        own = {parted(cell)[1]: value for cell, value in cells.items() if parted(cell)[0] == scenario}
        own = {0: 1.0} | own
        if len(own) > 1:
            x = sorted(own)
            hover = "severity %{x}: %{y:.3f} of the base case"
            data.append(line(name, x, [own[i] for i in x], stroke(name), hover))
    data.sort(key=lambda trace: trace["line"]["width"])  # thick lines on top
    low, high = _range(found)
    return figure(
        data,
        showlegend=False,
        xaxis=axis(dtick=1, range=[-0.15, 3.15], showgrid=False, zeroline=False, **_severities()),
        yaxis=axis(range=[low, high], nticks=6),
    )


def _severities() -> dict[str, Any]:
    return {"tickvals": [0, 1, 2, 3], "ticktext": ["base", "1", "2", "3"]}


def _relative(found: Found) -> dict[str, Mapping[str, float]]:
    """Normalized accuracies of what has a line: the methods, and CCP in the paper's variant of each cell."""
    lines = {
        name: own["normalized"]
        for name, own in found["methods"].items()
        if own["normalized"] and name not in found["ablations"]
    }
    ours = {cell: own["accuracy"] for cell, own in found["paper"]["cells"].items()}
    if ours.get("base"):
        lines[AS_IN_PAPER] = {cell: value / ours["base"] for cell, value in ours.items()}
    return lines


def _range(found: Found) -> tuple[float, float]:
    """What all panels show, so that they can be compared."""
    values = [value for cells in _relative(found).values() for value in cells.values()]
    low, high = min(values, default=0.0), max(values, default=1.0)
    pad = 0.04 * (high - low) or 0.02
    return low - pad, high + pad


def differences(found: Found) -> Figure:
    """Mean difference to the baseline in points, a dot a method, with its interval over seeds."""
    own = {name: m["difference"] for name, m in found["methods"].items() if m["difference"]}
    order = sorted(own, key=lambda name: own[name]["mean"])
    values = [100 * own[name]["mean"] for name in order]
    ends = [[100 * end for end in own[name]["interval"] or ()] for name in order]
    return _dots(order, values, ends, "points from supervised", "%{x:+.1f} points")


def mean_ranks(found: Found) -> Figure:
    """Mean rank over cells, a dot a method, with its interval over seeds; the best on top."""
    own = {name: m["mean_rank"] for name, m in found["methods"].items() if m["mean_rank"]}
    order = sorted(own, key=lambda name: -own[name]["value"])
    values = [own[name]["value"] for name in order]
    ends = [list(own[name]["interval"] or ()) for name in order]
    return _dots(order, values, ends, "mean rank, 1 is best", "rank %{x:.2f}", zero=False)


def _dots(
    names: Sequence[str],
    values: Sequence[float],
    ends: Sequence[Sequence[float]],
    title: str,
    hover: str,
    zero: bool = True,
) -> Figure:
    colors = [BLUE if name.startswith("ccp") else GRAY for name in names]
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": "markers",
        "x": list(values),
        "y": list(range(len(names))),
        "marker": {"size": 10, "color": colors},
        "customdata": [full(name) for name in names],
        "hovertemplate": f"%{{customdata}}<br>{hover}<extra></extra>",
    }
    bars = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": list(end),
            "y": [i, i],
            "line": {"color": colors[i], "width": 2},
            "hoverinfo": "skip",
        }
        for i, end in enumerate(ends)
        if end
    ]
    ticks: dict[str, Any] = {"tickvals": list(range(len(names))), "ticktext": [label(name) for name in names]}
    return figure(
        [*bars, trace],
        showlegend=False,
        shapes=[_zero()] if zero else [],
        xaxis=axis(title, zeroline=False),
        yaxis=axis(range=[-0.6, len(names) - 0.4], showgrid=False, zeroline=False, **ticks),
    )


def _zero() -> dict[str, Any]:
    stroke_ = {"color": GRAY, "width": 1.5, "dash": "dot"}
    return {"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper", "line": stroke_}


def cost(found: Found) -> Figure:
    """Seconds of a run against the mean accuracy, a dot a method, of those that were run in every cell."""
    whole = {
        name: sum(own["accuracy"].values()) / len(own["accuracy"])
        for name, own in found["methods"].items()
        if len(own["accuracy"]) == len(found["cells"])
        and found["cost"][name]["seconds"]
        and name not in found["ablations"]
    }
    named = _apart({name: (log10(found["cost"][name]["seconds"]), y) for name, y in whole.items()})
    trace = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [found["cost"][name]["seconds"] for name in whole],
        "y": list(whole.values()),
        "text": [label(name) if name in named else "" for name in whole],
        "textposition": "top center",
        "textfont": {"size": 11},
        "cliponaxis": False,
        "marker": {"size": 9, "color": [stroke(name)["color"] for name in whole]},
        "customdata": [full(name) for name in whole],
        "hovertemplate": "%{customdata}<br>%{x:.1f} s, %{y:.1%}<extra></extra>",
    }
    return figure(
        [trace],
        xaxis=axis("seconds of a run", type="log", dtick=1, zeroline=False),
        yaxis=axis("mean accuracy", tickformat=".2~%", zeroline=False, nticks=6),
    )


def _apart(dots: Mapping[str, tuple[float, float]]) -> list[str]:
    """The names that can stand over their dots without hiding each other, the first ones first."""
    if not dots:
        return []
    across, up = (max(d[i] for d in dots.values()) - min(d[i] for d in dots.values()) for i in (0, 1))
    named: list[str] = []
    for name, (x, y) in dots.items():
        near = [n for n in named if abs(dots[n][0] - x) < across / 4 and abs(dots[n][1] - y) < up / 22]
        named += [] if near else [name]
    return named
