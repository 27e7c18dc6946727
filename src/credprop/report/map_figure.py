"""The map of embeddings as a Plotly figure."""

from statistics import median
from typing import Any

from credprop.report.style import GRAY, Content, Figure, color, figure, full, label

_NAMED = 30  # number of classes named on the map
_LEGEND = 12  # number of classes in the legend
_SYMBOLS = ("circle", "x", "circle-open")
_MARKS = ("", "label issue", "outlier")
_HOVER = (
    "<b>%{customdata[0]}</b><br>given: %{customdata[1]}<br>refined: %{customdata[2]}<br>"
    "credibility %{customdata[3]}, %{customdata[4]}<br>"
    "outlier score %{customdata[5]}%{customdata[6]}%{customdata[7]}<extra></extra>"
)


def embedding_map(content: Content) -> Figure:
    """One point per sample: color shows the class, size the credibility, symbol label issues and outliers."""
    points = content["map"]
    by_class: dict[int, list[int]] = {}
    for position, code in enumerate(points["refined"]):
        by_class.setdefault(code, []).append(position)
    codes = sorted(by_class)
    data = [_class_trace(content, code, by_class[code], len(codes) <= _LEGEND) for code in codes]
    data += [_legend_entry(mark) for mark in (1, 2) if mark in points["mark"]]
    hidden = {"visible": False, "automargin": False}
    return figure(
        data,
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
        dragmode="zoom",
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": -0.02, "yanchor": "top", "itemsizing": "constant"},
        xaxis=hidden,
        yaxis=hidden,
        annotations=_names(content, by_class),
    )


def _class_trace(content: Content, code: int, rows: list[int], in_legend: bool) -> dict[str, Any]:
    points = content["map"]
    rows = sorted(rows, key=lambda row: points["mark"][row] == 1)  # label issues on top
    marks = [points["mark"][row] for row in rows]
    sizes = [round(5 + 9 * points["credibility"][row], 1) + 4 * (points["mark"][row] == 1) for row in rows]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "no label" if code < 0 else label(content["classes"][code], 20),
        "showlegend": in_legend,
        "x": [points["x"][row] for row in rows],
        "y": [points["y"][row] for row in rows],
        "marker": {
            "color": color(code),
            "size": sizes,
            "symbol": [_SYMBOLS[mark] for mark in marks],
            "opacity": 0.75,
            "line": {"width": [1.2 if mark else 0 for mark in marks]},  # in the text color of the page
        },
        "customdata": [_hover(content, row) for row in rows],
        "hovertemplate": _HOVER,
    }


def _hover(content: Content, row: int) -> list[str]:
    points = content["map"]
    score = points["score"][row]
    truth = (
        ""
        if points["truth"] is None
        else "<br>true label: " + _name(content, points["truth"][row], "no class")
    )
    return [
        full(points["id"][row]),
        _name(content, points["given"][row], "(unlabeled)"),
        _name(content, points["refined"][row], "(none)"),
        f"{points['credibility'][row]:.2f}",
        label(points["verdict"][row]),
        "unknown" if score is None else f"{score:.2f}",
        truth,
        "" if points.get("text") is None else "<br>" + full(points["text"][row] or "(empty)"),
    ]


def _name(content: Content, code: int, none: str) -> str:
    return full(content["classes"][code]) if code >= 0 else none


def _legend_entry(mark: int) -> dict[str, Any]:
    """A trace without points that explains a symbol in the legend."""
    symbol = {"symbol": _SYMBOLS[mark], "color": GRAY, "size": 10, "line": {"width": 1.2}}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": _MARKS[mark],
        "x": [None],
        "y": [None],
        "marker": symbol,
    }


def _names(content: Content, by_class: dict[int, list[int]]) -> list[dict[str, Any]]:
    """The names of the largest classes at the median position of their samples."""
    largest = sorted((code for code in by_class if code >= 0), key=lambda code: -len(by_class[code]))[:_NAMED]
    points = content["map"]
    return [
        {
            "x": median(points["x"][row] for row in by_class[code]),
            "y": median(points["y"][row] for row in by_class[code]),
            "text": label(content["classes"][code], 18),
            "showarrow": False,
            "borderpad": 2,
            "yshift": _shift(len(by_class[code]), len(by_class)),
        }
        for code in largest
    ]


def _shift(samples: int, classes: int) -> int:
    """Pixels to move a name up, so that it does not cover a small group."""
    return 14 if samples < 10 or classes > _LEGEND else 0
