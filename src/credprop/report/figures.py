"""The Plotly figures of the report as plain dictionaries; the page sets the colors of text and grid."""

from collections.abc import Iterable, Sequence
from typing import Any

from credprop.report.style import (
    BLUE,
    GRAY,
    GREEN,
    LIGHT_BLUE,
    ORANGE,
    RED,
    Content,
    Figure,
    axis,
    color,
    escape,
    figure,
    full,
    label,
)

_VERDICTS = {"trust": BLUE, "check": LIGHT_BLUE, "ambiguous": ORANGE, "relabel": RED, "outlier": GRAY}
_TRUTHS = {"right": BLUE, "wrong": RED, "of no class": GRAY}
_NAMES = {"of no class": "outliers"}  # in the legend
_STAGES = {"pretrain": ("pretraining", GREEN), "refine": ("refinement", BLUE), "build": ("classifier", RED)}


def distribution(content: Content) -> Figure:
    """Class distribution of given and refined labels as bars; of true labels as marks."""
    rows, totals = content["distribution"]["rows"], content["distribution"]["totals"]
    data = [
        _shares(rows, totals, "given", "given labels", ORANGE),
        _shares(rows, totals, "refined", "refined labels", BLUE),
    ]
    if "truth" in totals:
        marks = _shares(rows, totals, "truth", "true labels", "")
        tick = {"symbol": "line-ns", "size": 20, "line": {"width": 2.5}}  # in the color of the page's text
        data.append(marks | {"type": "scatter", "mode": "markers", "marker": tick})
    names: dict[str, Any] = {
        "tickvals": list(range(len(rows))),
        "ticktext": [label(_of_one(row)) for row in rows],
    }
    return figure(
        data,
        barmode="group",
        bargap=0.25,
        xaxis=axis("share of the labels", tickformat=".2~%", rangemode="tozero"),
        yaxis=axis(range=[len(rows) - 0.5, -0.5], showgrid=False, zeroline=False, ticks="", **names),
        barcornerradius=2,
    )


def _of_one(row: Content) -> str:
    """The name of a bar; small classes share one bar that shows their average."""
    return row["name"] if row["classes"] == 1 else f"{row['name']}, on average"


def _shares(rows: Sequence[Content], totals: Content, key: str, name: str, fill: str) -> dict[str, Any]:
    shares = [row[key] / max(1, totals[key]) / row["classes"] for row in rows]
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "x": shares,
        "y": list(range(len(rows))),
        "marker": {"color": fill},
        "customdata": [[full(_of_one(row)), f"{row[key] / row['classes']:,.0f}"] for row in rows],
        "hovertemplate": f"%{{customdata[0]}}<br>{name}: %{{customdata[1]}}, %{{x:.1%}}<extra></extra>",
    }


def strengths(content: Content, by: str) -> Figure:
    """Histogram of credibility, colored by verdict or by correctness."""
    bins, colors = content["strengths"]["bins"], _VERDICTS if by == "verdicts" else _TRUTHS
    counts = {name: content["strengths"][by][name] for name in colors if any(content["strengths"][by][name])}
    most = max(map(sum, zip(*counts.values(), strict=True)), default=0)
    whole = {"dtick": 1} if most <= 5 else {}  # no half samples on the axis
    centers = [(i + 0.5) / bins for i in range(bins)]
    data = [
        {
            "type": "bar",
            "name": shown,
            "x": centers,
            "y": values,
            "width": 1 / bins,
            "marker": {"color": colors[name], "line": {"width": 0}},
            "customdata": [f"{i / bins:.2f} to {(i + 1) / bins:.2f}" for i in range(bins)],
            "hovertemplate": f"credibility %{{customdata}}<br>{shown}: %{{y:,}}<extra></extra>",
        }
        for name, values in counts.items()
        for shown in [_NAMES.get(name, name)]
    ]
    return figure(
        data,
        barmode="stack",
        bargap=0.05,
        showlegend=True,
        xaxis=axis("credibility", range=[0, 1], zeroline=False),
        yaxis=axis("samples", rangemode="tozero", **whole),
    )


def losses(content: Content) -> Figure:
    """Loss of every epoch, one line per stage; dotted lines mark the start of iterations."""
    data: list[dict[str, Any]] = []
    seen: set[str] = set()
    for line in content["losses"]:
        name, stroke = _STAGES.get(line["stage"], (escape(line["stage"]), GRAY))
        iteration = f" {line['iteration']}" if line["stage"] == "refine" else ""
        mode = "lines" if len(line["x"]) > 1 else "markers"
        data.append(
            {
                "type": "scatter",
                "mode": mode,
                "name": name,
                "legendgroup": name,
                "showlegend": name not in seen,
                "x": line["x"],
                "y": line["y"],
                "line": {"color": stroke, "width": 2},
                "hovertemplate": f"{name}{iteration}<br>epoch %{{x}}, loss %{{y:.3f}}<extra></extra>",
            }
        )
        seen.add(name)
    starts = [line["x"][0] - 0.5 for line in content["losses"][1:]]
    return figure(
        data,
        shapes=_verticals(starts),
        xaxis=axis("epoch of the run", showgrid=False, zeroline=False),
        yaxis=axis("loss", rangemode="tozero"),
    )


def _verticals(positions: Iterable[float]) -> list[dict[str, Any]]:
    line = {"color": GRAY, "width": 1, "dash": "dot"}
    return [
        {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": line, "layer": "below"}
        for x in positions
    ]


def progress(content: Content) -> Figure:
    """Share of labeled samples, mean credibility, and accuracy if known, after every iteration."""
    lines = (
        ("share", "share labeled", BLUE, "solid"),
        ("strength", "mean credibility", ORANGE, "solid"),
        ("accuracy", "label accuracy", GREEN, "solid"),
        ("strength_right", "credibility, right labels", "#56b4e9", "dot"),
        ("strength_wrong", "credibility, wrong labels", RED, "dot"),
    )
    data = [_over_iterations(content, *line, "%{y:.3f}") for line in lines]
    return figure(
        [trace for trace in data if any(y is not None for y in trace["y"])],
        xaxis=_iteration_axis(),
        yaxis=axis("share, credibility", range=[0, 1.03]),
        showlegend=True,
    )


def resets(content: Content) -> Figure:
    """Percentage p of the weakest labels that each iteration reset."""
    bars = {
        "type": "bar",
        "x": [row["iteration"] for row in content["iterations"]],
        "y": [row["p"] for row in content["iterations"]],
        "marker": {"color": RED},
        "hovertemplate": "iteration %{x}<br>p = %{y} %<extra></extra>",
    }
    return figure(
        [bars],
        bargap=0.4,
        xaxis=_iteration_axis(),
        yaxis=axis("p: labels reset, %", rangemode="tozero"),
    )


def divergences(content: Content) -> Figure:
    """KL divergence of the class distribution caused by the resets, and its bound."""
    data = [
        _over_iterations(content, "d_max", "bound d_max", GRAY, "dash", "d_max %{y:.2g}"),
        _over_iterations(content, "kl", "KL divergence", BLUE, "solid", "KL %{y:.2g} bits"),
    ]
    return figure(
        data, xaxis=_iteration_axis(), yaxis=axis("bits", rangemode="tozero", exponentformat="power")
    )


def _iteration_axis() -> dict[str, Any]:
    return axis("iteration", dtick=1, tick0=1, showgrid=False, zeroline=False, minallowed=0, nticks=12)


def _over_iterations(
    content: Content, key: str, name: str, stroke: str, dash: str, hover: str
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": [row["iteration"] for row in content["iterations"]],
        "y": [row[key] for row in content["iterations"]],
        "line": {"color": stroke, "dash": dash, "width": 2},
        "marker": {"color": stroke, "size": 6},
        "hovertemplate": f"iteration %{{x}}<br>{name}: {hover}<extra></extra>",
    }


def trajectory(content: Content, sample: Content) -> Figure:
    """Credibility of one sample for its strongest classes, by epoch."""
    data = [
        {
            "type": "scatter",
            "mode": "lines" if len(line["x"]) > 1 else "markers",
            "name": label(content["classes"][line["class"]], 16),
            "x": line["x"],
            "y": line["y"],
            "line": {"color": color(line["class"]), "width": 2},
            "customdata": [full(content["classes"][line["class"]])] * len(line["x"]),
            "hovertemplate": "%{customdata}<br>epoch %{x}: %{y:.3f}<extra></extra>",
        }
        for line in sample["lines"]
    ]
    return figure(
        data,
        showlegend=True,
        shapes=_verticals(sample["starts"]),
        xaxis=axis("epoch of refinement", showgrid=False, zeroline=False, nticks=6),
        yaxis=axis(nticks=5),
    )
