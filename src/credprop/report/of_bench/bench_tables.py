"""The tables of the page: texts and marks of their cells."""

from collections.abc import Mapping, Sequence
from typing import Any

from credprop.report.of_bench.bench_formatting import (
    CHOSEN_PER_CELL,
    SCENARIOS,
    PageData,
    between,
    cell_name,
    grouped,
    is_lower,
    score,
    signed,
    split_cell,
)

Table = dict[str, Any]


def heads(cells: Sequence[str]) -> dict[str, Any]:
    """The two header lines of a table: scenarios with their columns, and severities."""
    groups: list[dict[str, Any]] = []
    for cell in cells:
        name, severity = split_cell(cell)
        if not groups or groups[-1]["scenario"] != name:
            groups.append({"scenario": name, "name": SCENARIOS.get(name, name), "severities": []})
        groups[-1]["severities"].append(severity)
    return {"groups": groups, "cells": [cell_name(cell) for cell in cells]}


def accuracy_table(bench: PageData) -> Table:
    """The accuracy of each method in each cell, with marks for the best and for those below the baseline.

    CCP with the variant chosen per cell comes before its variants; results after the first iteration follow
    each variant.
    """
    methods = {name: own for name, own in bench["methods"].items() if name not in bench["ablations"]}
    rows = []
    for name, own in methods.items():
        rows.append(_method_row(bench, name, own))
        if name == bench["baseline"]:
            rows += _chosen_row(bench)
        if own["first_accuracy"]:
            first = _row(bench, "first iteration", own["first_accuracy"])
            rows.append(first | {"kind": "part"})
    if bench["baseline"] not in methods:
        rows = [*_chosen_row(bench), *rows]
    return heads(bench["cells"]) | {"rows": rows, "intervals": len(bench["seeds"]) > 1}


def _method_row(bench: PageData, name: str, own: Mapping[str, Any]) -> Table:
    kind = "baseline" if name == bench["baseline"] else "mark" if name in bench["unranked"] else ""
    row = _row(bench, name, own["accuracy"], own["interval"])
    for cell, entry in zip(bench["cells"], row["cells"], strict=True):
        best = bench["best"].get(cell, {"methods": []})["methods"]
        entry["best"] = name in best and kind != "mark" and len(bench["methods"]) > 1
    return row | {"kind": kind}


def _chosen_row(bench: PageData) -> list[Table]:
    own = {cell: cells["accuracy"] for cell, cells in bench["chosen"]["cells"].items()}
    return [_row(bench, CHOSEN_PER_CELL, own) | {"kind": "ours"}] if own else []


def _row(
    bench: PageData,
    name: str,
    scores: Mapping[str, float],
    intervals: Mapping[str, Sequence[float] | None] | None = None,
) -> Table:
    base = bench["methods"].get(bench["baseline"], {"accuracy": {}})["accuracy"]
    cells = [
        {
            "text": score(scores.get(cell)),
            "below": cell in scores and cell in base and is_lower(scores[cell], base[cell]),
            "best": False,
            "interval": between((intervals or {}).get(cell)),
        }
        for cell in bench["cells"]
    ]
    return {"name": name, "cells": cells, "kind": ""}


def standings(bench: PageData) -> list[Table]:
    """Statistics of every ranked method, the best mean rank first."""
    ranked = {name: own for name, own in bench["methods"].items() if own["mean_rank"] is not None}
    order = sorted(ranked, key=lambda name: ranked[name]["mean_rank"]["value"])
    return [{"name": name, **_standing(ranked[name])} for name in order]


def _standing(own: Mapping[str, Any]) -> Table:
    below, regret, rank, test = (
        own[key] for key in ("cells_below", "worst_regret", "mean_rank", "difference")
    )
    return {
        "below": "" if below is None else f"{below['value']:.0f}",
        "below_interval": "" if below is None else between(below["interval"], scale=1),
        "where": grouped(own["below"] or ()),
        "regret": f"{100 * regret['value']:.1f}",
        "regret_interval": between(regret["interval"]),
        "rank": f"{rank['value']:.2f}",
        "rank_interval": between(rank["interval"], scale=1, digits=2),
        "difference": "" if test is None else signed(test["mean"]),
        "difference_interval": "" if test is None else between(test["interval"]),
        "pairs": None if test is None else test["pairs"],
        "p": "" if test is None else _p(test["p_value"]),
        "holm": "" if test is None else _p(test["p_holm"]),
        "sure": test is not None and test["p_holm"] < 0.05,
    }


def _p(value: float) -> str:
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def normalized_table(bench: PageData) -> Table:
    """Accuracies divided by the method's own accuracy in the base case."""
    rows = [
        {
            "name": name,
            "kind": "",
            "cells": [_plain_cell(own["normalized"].get(cell)) for cell in bench["cells"]],
        }
        for name, own in bench["methods"].items()
        if own["normalized"] and name not in bench["ablations"]
    ]
    return heads(bench["cells"]) | {"rows": rows, "intervals": False}


def _plain_cell(value: float | None) -> Table:
    text = "" if value is None else f"{value:.3f}"
    return {"text": text, "below": False, "best": False, "interval": ""}


def ablation_table(bench: PageData) -> Table:
    """CCP and its ablations, with marks for those below CCP."""
    ccp = bench["methods"].get("ccp-alone")
    names = [name for name in ("ccp-alone", "seal", *bench["ablations"]) if name in bench["methods"]]
    rows = []
    for name in names:
        own = bench["methods"][name]["accuracy"]
        row = _row(bench, name, own)
        for cell, entry in zip(bench["cells"], row["cells"], strict=True):
            entry["below"] = bool(ccp) and cell in own and is_lower(own[cell], ccp["accuracy"].get(cell, 0))
        rows.append(row | {"kind": "baseline" if name == "ccp-alone" else ""})
    shown = [i for i, _ in enumerate(bench["cells"]) if any(row["cells"][i]["text"] for row in rows[-1:])]
    for row in rows:
        row["cells"] = [row["cells"][i] for i in shown]
    return heads([bench["cells"][i] for i in shown]) | {"rows": rows, "intervals": False}


def iteration_table(bench: PageData) -> Table:
    """Accuracy of pseudo-labels after each iteration in %: with and without subsampling, and with softmax."""
    kinds = {"ccp-alone": "subsampling", "ccp-no-subsampling": "no subsampling", "seal": "softmax"}
    curves = {method: bench["curves"].get(method, {}) for method in kinds}
    last = max((m for own in curves.values() for c in own.values() for m in c["iteration"]), default=0)
    rows = []
    for cell in bench["cells"]:
        for method, kind in kinds.items():
            if cell in curves[method]:
                own = curves[method][cell]
                right = dict(zip(own["iteration"], own["pseudo_label_accuracy"], strict=True))
                shares = [score(right.get(m)) for m in range(1, last + 1)]
                rows.append({"cell": cell_name(cell), "kind": kind, "shares": shares})
    return {"iterations": list(range(1, last + 1)), "rows": rows}


def costs(bench: PageData) -> list[Table]:
    """The mean cost of a run of each method, the fastest first."""
    order = sorted(bench["cost"], key=lambda name: bench["cost"][name]["seconds"] or 0)
    return [
        {
            "name": name,
            "seconds": _count(bench["cost"][name]["seconds"], 1),
            "samples": _count(bench["cost"][name]["samples"]),
            "steps": _count(bench["cost"][name]["steps"]),
        }
        for name in order
    ]


def _count(value: float | None, digits: int = 0) -> str:
    return "" if value is None else f"{value:,.{digits}f}"
