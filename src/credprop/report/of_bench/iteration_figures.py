"""Figures of the iterations of a run: label accuracy, strengths, resets, trajectories, variance."""

from collections.abc import Mapping
from typing import Any

from credprop.report.of_bench.bench_formatting import PageData, cell_name, split_cell
from credprop.report.of_bench.line_styles import SEVERITIES, line
from credprop.report.style import BLUE, GRAY, ORANGE, RED, Figure, axis, figure

_DASHES = ("solid", "dash")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up")  # of severities


def cells_of(bench: PageData, scenario: str, method: str = "ccp-alone") -> list[str]:
    """The base case and the cells of one scenario for which the method has curves."""
    curves = bench["curves"].get(method, {})
    return [cell for cell in curves if cell == "base" or split_cell(cell)[0] == scenario]


def label_accuracy(bench: PageData, scenario: str, other: str) -> Figure:
    """Accuracy of pseudo-labels after each iteration, colored by severity; the other method is dashed."""
    data = []
    for method, dash in zip(("ccp-alone", other), _DASHES, strict=True):
        for cell in cells_of(bench, scenario, method):
            step = min(split_cell(cell)[1], 3)
            look = {"color": SEVERITIES[step], "dash": dash, "width": 2}
            trace = _curve(bench, method, cell, "pseudo_label_accuracy", look, "%{y:.1%} right")
            data.append(trace | {"marker": trace["marker"] | {"symbol": _SYMBOLS[step]}})
    return figure(
        data, showlegend=False, xaxis=_iterations(), yaxis=axis(tickformat=".2~%", nticks=6, zeroline=False)
    )


def strengths(bench: PageData, cell: str) -> Figure:
    """Mean strength of right and wrong pseudo-labels after each iteration; softmax is dashed."""
    data = []
    for method, dash in zip(("ccp-alone", "seal"), _DASHES, strict=True):
        for word, fill, symbol in (("right", BLUE, "circle"), ("wrong", RED, "x")):
            if cell in bench["curves"].get(method, {}):
                look = {"color": fill, "dash": dash, "width": 2}
                hover = f"strength if {word}: %{{y:.3f}}"
                trace = _curve(bench, method, cell, f"strength_{word}", look, hover)
                data.append(trace | {"marker": trace["marker"] | {"symbol": symbol}})
    return figure(
        data, showlegend=False, xaxis=_iterations(), yaxis=axis(range=[0, 1.03], nticks=6, zeroline=False)
    )


def resets(bench: PageData, cells: list[str]) -> Figure:
    """Percentage of the weakest labels that each iteration of CCP reset, one line per cell."""
    data = [_curve(bench, "ccp-alone", cell, "p", _look(i), "p = %{y:.0f} %") for i, cell in enumerate(cells)]
    return figure(
        data,
        showlegend=True,
        xaxis=_iterations(),
        yaxis=axis("p: labels reset, %", rangemode="tozero"),
    )


def divergences(bench: PageData, cells: list[str]) -> Figure:
    """KL divergence caused by the resets of each iteration of CCP, and the widest bound of all cells."""
    data = [
        _curve(bench, "ccp-alone", cell, "kl", _look(i), "KL %{y:.2g} bits") for i, cell in enumerate(cells)
    ]
    bound = {"color": GRAY, "dash": "dash", "width": 2}
    widest = max(cells, key=lambda cell: bench["curves"]["ccp-alone"][cell]["d_max"][0] or 0)
    data.append(
        _curve(bench, "ccp-alone", widest, "d_max", bound, "d_max %{y:.2g}") | {"name": "bound d_max"}
    )
    return figure(
        data,
        showlegend=True,
        xaxis=_iterations(),
        yaxis=axis("bits", rangemode="tozero", exponentformat="power"),
    )


def _look(i: int) -> dict[str, Any]:
    colors = (GRAY, BLUE, ORANGE, "#009e73", RED, "#cc79a7", "#8766b8")
    return {"color": colors[i % len(colors)], "dash": "solid", "width": 2}


def _iterations() -> dict[str, Any]:
    return axis("iteration", showgrid=False, zeroline=False, nticks=8, tickformat="d")


def _curve(
    bench: PageData, method: str, cell: str, key: str, look: Mapping[str, Any], hover: str
) -> dict[str, Any]:
    own = bench["curves"][method][cell]
    name = f"{method}, {cell_name(cell)}"
    trace = line(name, own["iteration"], own[key], look, f"iteration %{{x}}: {hover}")
    return trace | {"name": cell_name(cell)}


def trajectory(sample: Mapping[str, Any]) -> Figure:
    """Credibility of one sample for its true class and the strongest other class, by epoch."""
    epochs = list(range(1, len(sample["own"]) + 1))
    names = (
        ("strongest class", "second") if sample["kind"] == "outlier" else ("true class", "strongest other")
    )
    data = [
        line(
            name, epochs, sample[key], {"color": fill, "dash": "solid", "width": 1.75}, "epoch %{x}: %{y:.2f}"
        )
        | {"mode": "lines"}
        for key, name, fill in (("own", names[0], BLUE), ("other", names[1], ORANGE))
    ]
    iteration = sample["iterations"]
    starts = [i + 0.5 for i in range(1, len(iteration)) if iteration[i] != iteration[i - 1]]
    dotted = {"color": GRAY, "width": 1, "dash": "dot"}
    shapes = [
        {
            "type": "line",
            "x0": x,
            "x1": x,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": dotted,
            "layer": "below",
        }
        for x in starts
    ]
    return figure(
        data,
        showlegend=False,
        shapes=shapes,
        xaxis=axis("epoch of refinement", showgrid=False, zeroline=False, nticks=6),
        yaxis=axis(nticks=5),
    )


def variance(bench: PageData, method: str) -> Figure:
    """Variance of credibility in single epochs and of its mean over epochs, by iteration."""
    own = bench["variance"][method]
    x = [row["iteration"] for row in own]
    ideal = [row["single"] / row["epochs"] for row in own]
    lines = (
        ("one epoch", [row["single"] for row in own], RED, "solid"),
        ("mean over epochs", [row["mean"] for row in own], BLUE, "solid"),
        ("mean, if epochs were independent", ideal, GRAY, "dot"),
    )
    data = [
        line(name, x, y, {"color": fill, "dash": dash, "width": 2}, "iteration %{x}: %{y:.2e}")
        for name, y, fill, dash in lines
    ]
    return figure(
        data,
        showlegend=True,
        xaxis=_iterations(),
        yaxis=axis("variance", type="log", exponentformat="power", dtick=1),
    )


def bounds(bench: PageData) -> Figure:
    """Accuracy on the open-set cells for each bound of subsampling, and for CCP after one iteration."""
    names = ["ccp-alone", *(n for n in bench["ablations"] if "dmax" in n or n == "ccp-no-subsampling")]
    data = []
    for i, name in enumerate(n for n in names if n in bench["methods"]):
        data.append(_severities(name, bench["methods"][name]["accuracy"], _look(i + 1)))
    first = bench["methods"].get("ccp-alone", {}).get("first_accuracy")
    if first:
        data.append(_severities("ccp-alone, first iteration", first, _look(1) | {"dash": "dash"}))
    return figure(
        [trace for trace in data if trace["x"]],
        showlegend=True,
        xaxis=axis("severity of open-set", dtick=1, range=[0.85, 3.15], showgrid=False, zeroline=False),
        yaxis=axis("accuracy", tickformat=".2~%", nticks=6, zeroline=False),
    )


def _severities(name: str, accuracy: Mapping[str, float], look: Mapping[str, Any]) -> dict[str, Any]:
    own = {
        split_cell(cell)[1]: value for cell, value in accuracy.items() if split_cell(cell)[0] == "open-set"
    }
    x = sorted(own)
    return line(name, x, [own[i] for i in x], look, "severity %{x}: %{y:.1%}")
