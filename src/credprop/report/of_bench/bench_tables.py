"""The tables of the page: what stands in each cell, and what marks it."""

from collections.abc import Mapping, Sequence
from typing import Any

from credprop.report.of_bench.method_words import (
    AS_IN_PAPER,
    SCENARIOS,
    Found,
    between,
    cell_name,
    grouped,
    is_lower,
    parted,
    score,
    signed,
)

Table = dict[str, Any]


def heads(cells: Sequence[str]) -> dict[str, Any]:
    """The two lines over a table: scenarios with the columns that each spans, severities."""
    groups: list[dict[str, Any]] = []
    for cell in cells:
        name, severity = parted(cell)
        if not groups or groups[-1]["scenario"] != name:
            groups.append({"scenario": name, "name": SCENARIOS.get(name, name), "severities": []})
        groups[-1]["severities"].append(severity)
    return {"groups": groups, "cells": [cell_name(cell) for cell in cells]}


def accuracy_table(found: Found) -> Table:
    """The paper's table: a row a method, a column a cell, marked where it is below the baseline or the best.

    CCP in the paper's variant of each cell stands before the methods that it is put together from, and their
    results after the first iteration behind them.
    """
    methods = {name: own for name, own in found["methods"].items() if name not in found["ablations"]}
    rows = []
    for name, own in methods.items():
        rows.append(_method_row(found, name, own))
        if name == found["baseline"]:
            rows += _paper_row(found)
        if own["first_accuracy"]:
            first = _row(found, "first iteration", own["first_accuracy"])
            rows.append(first | {"kind": "part"})
    if found["baseline"] not in methods:
        rows = [*_paper_row(found), *rows]
    return heads(found["cells"]) | {"rows": rows, "intervals": len(found["seeds"]) > 1}


def _method_row(found: Found, name: str, own: Mapping[str, Any]) -> Table:
    kind = "baseline" if name == found["baseline"] else "mark" if name in found["unranked"] else ""
    row = _row(found, name, own["accuracy"], own["interval"])
    for cell, entry in zip(found["cells"], row["cells"], strict=True):
        best = found["best"].get(cell, {"methods": []})["methods"]
        entry["best"] = name in best and kind != "mark" and len(found["methods"]) > 1
    return row | {"kind": kind}


def _paper_row(found: Found) -> list[Table]:
    own = {cell: cells["accuracy"] for cell, cells in found["paper"]["cells"].items()}
    return [_row(found, AS_IN_PAPER, own) | {"kind": "ours"}] if own else []


def _row(
    found: Found,
    name: str,
    scores: Mapping[str, float],
    intervals: Mapping[str, Sequence[float] | None] | None = None,
) -> Table:
    base = found["methods"].get(found["baseline"], {"accuracy": {}})["accuracy"]
    cells = [
        {
            "text": score(scores.get(cell)),
            "below": cell in scores and cell in base and is_lower(scores[cell], base[cell]),
            "best": False,
            "interval": between((intervals or {}).get(cell)),
        }
        for cell in found["cells"]
    ]
    return {"name": name, "cells": cells, "kind": ""}


def standings(found: Found) -> list[Table]:
    """Of every ranked method, the best mean rank first: its places, regret, differences and tests."""
    ranked = {name: own for name, own in found["methods"].items() if own["mean_rank"] is not None}
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


def normalized_table(found: Found) -> Table:
    """The same accuracies as multiples of each method's own in the base case."""
    rows = [
        {
            "name": name,
            "kind": "",
            "cells": [_plain_cell(own["normalized"].get(cell)) for cell in found["cells"]],
        }
        for name, own in found["methods"].items()
        if own["normalized"] and name not in found["ablations"]
    ]
    return heads(found["cells"]) | {"rows": rows, "intervals": False}


def _plain_cell(value: float | None) -> Table:
    text = "" if value is None else f"{value:.3f}"
    return {"text": text, "below": False, "best": False, "interval": ""}


def ablation_table(found: Found) -> Table:
    """The ablations under what they are ablations of, marked where they are below it."""
    of = found["methods"].get("ccp")
    names = [name for name in ("ccp", "seal", *found["ablations"]) if name in found["methods"]]
    rows = []
    for name in names:
        own = found["methods"][name]["accuracy"]
        row = _row(found, name, own)
        for cell, entry in zip(found["cells"], row["cells"], strict=True):
            entry["below"] = bool(of) and cell in own and is_lower(own[cell], of["accuracy"].get(cell, 0))
        rows.append(row | {"kind": "baseline" if name == "ccp" else ""})
    shown = [i for i, _ in enumerate(found["cells"]) if any(row["cells"][i]["text"] for row in rows[-1:])]
    for row in rows:
        row["cells"] = [row["cells"][i] for i in shown]
    return heads([found["cells"][i] for i in shown]) | {"rows": rows, "intervals": False}


def iteration_table(found: Found) -> Table:
    """Pseudo-labels that are right after each iteration, in %: with and without subsampling, with softmax."""
    kinds = {"ccp": "subsampling", "ccp-no-subsampling": "no subsampling", "seal": "softmax"}
    there = {method: found["curves"].get(method, {}) for method in kinds}
    last = max((m for own in there.values() for c in own.values() for m in c["iteration"]), default=0)
    rows = []
    for cell in found["cells"]:
        for method, kind in kinds.items():
            if cell in there[method]:
                own = there[method][cell]
                right = dict(zip(own["iteration"], own["pseudo_label_accuracy"], strict=True))
                shares = [score(right.get(m)) for m in range(1, last + 1)]
                rows.append({"cell": cell_name(cell), "kind": kind, "shares": shares})
    return {"iterations": list(range(1, last + 1)), "rows": rows}


def costs(found: Found) -> list[Table]:
    """What a run of each method takes, the quickest first."""
    order = sorted(found["cost"], key=lambda name: found["cost"][name]["seconds"] or 0)
    return [
        {
            "name": name,
            "seconds": _count(found["cost"][name]["seconds"], 1),
            "samples": _count(found["cost"][name]["samples"]),
            "steps": _count(found["cost"][name]["steps"]),
        }
        for name in order
    ]


def _count(value: float | None, digits: int = 0) -> str:
    return "" if value is None else f"{value:,.{digits}f}"
