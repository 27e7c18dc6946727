"""Figures that compare methods (sensitivity, ranks, cost) as plain Plotly dictionaries."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from credprop.report.of_bench.bench_formatting import CHOSEN_PER_CELL, PageData, split_cell
from credprop.report.of_bench.line_styles import line, stroke
from credprop.report.style import BLUE, GRAY, Figure, axis, figure, full, label


def sensitivity(bench: PageData, scenario: str) -> Figure:
    """Accuracy relative to the base case by severity of one scenario, one line per method."""
    data = []
    for name, cells in _relative(bench).items():
        own = {split_cell(cell)[1]: value for cell, value in cells.items() if split_cell(cell)[0] == scenario}
        own = {0: 1.0} | own
        if len(own) > 1:
            x = sorted(own)
            hover = "severity %{x}: %{y:.3f} of the base case"
            data.append(line(name, x, [own[i] for i in x], stroke(name), hover))
    data.sort(key=lambda trace: trace["line"]["width"])  # thick lines on top
    low, high = _range(bench)
    return figure(
        data,
        showlegend=False,
        xaxis=axis(dtick=1, range=[-0.15, 3.15], showgrid=False, zeroline=False, **_severities()),
        yaxis=axis(range=[low, high], nticks=6),
    )


def _severities() -> dict[str, Any]:
    return {"tickvals": [0, 1, 2, 3], "ticktext": ["base", "1", "2", "3"]}


def _relative(bench: PageData) -> dict[str, Mapping[str, float]]:
    """Normalized accuracies of the methods, and of CCP with the variant chosen per cell."""
    lines = {
        name: own["normalized"]
        for name, own in bench["methods"].items()
        if own["normalized"] and name not in bench["ablations"]
    }
    chosen = {cell: own["accuracy"] for cell, own in bench["chosen"]["cells"].items()}
    if chosen.get("base"):
        lines[CHOSEN_PER_CELL] = {cell: value / chosen["base"] for cell, value in chosen.items()}
    return lines


def _range(bench: PageData) -> tuple[float, float]:
    """The shared range of all panels."""
    values = [value for cells in _relative(bench).values() for value in cells.values()]
    low, high = min(values, default=0.0), max(values, default=1.0)
    pad = 0.04 * (high - low) or 0.02
    return low - pad, high + pad


def differences(bench: PageData) -> Figure:
    """Mean difference to the baseline in points, with interval over seeds, one dot per method."""
    own = {name: m["difference"] for name, m in bench["methods"].items() if m["difference"]}
    order = sorted(own, key=lambda name: own[name]["mean"])
    values = [100 * own[name]["mean"] for name in order]
    ends = [[100 * end for end in own[name]["interval"] or ()] for name in order]
    return _dots(order, values, ends, "points vs. supervised", "%{x:+.1f} points")


def mean_ranks(bench: PageData) -> Figure:
    """Mean rank over cells, with interval over seeds, one dot per method, the best on top."""
    own = {name: m["mean_rank"] for name, m in bench["methods"].items() if m["mean_rank"]}
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
    dotted = {"color": GRAY, "width": 1.5, "dash": "dot"}
    return {"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper", "line": dotted}


def cost(bench: PageData) -> Figure:
    """Mean accuracy by seconds of a run, one dot per method that was run in every cell."""
    whole = {
        name: sum(own["accuracy"].values()) / len(own["accuracy"])
        for name, own in bench["methods"].items()
        if len(own["accuracy"]) == len(bench["cells"])
        and bench["cost"][name]["seconds"]
        and name not in bench["ablations"]
    }
    named = _apart({name: (log10(bench["cost"][name]["seconds"]), y) for name, y in whole.items()})
    trace = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [bench["cost"][name]["seconds"] for name in whole],
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
    """The names that fit above their dots without overlap; earlier ones take precedence."""
    if not dots:
        return []
    across, up = (max(d[i] for d in dots.values()) - min(d[i] for d in dots.values()) for i in (0, 1))
    named: list[str] = []
    for name, (x, y) in dots.items():
        near = [n for n in named if abs(dots[n][0] - x) < across / 4 and abs(dots[n][1] - y) < up / 22]
        named += [] if near else [name]
    return named
