"""Everything that the page of a bench shows, computed from its rows, as plain JSON types."""

from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from credprop.bench.results import BASELINE, UNRANKED, cell_of, mean_scores, paired_test, summarize
from credprop.bench.results_folder import Row
from credprop.bench.scenarios import ABOUT, in_order
from credprop.bench.statistics import is_below
from credprop.methods.ablations import ABLATIONS

# The variants of CCP that the paper reports: with noisy labels, given labels are refined too; with outliers,
# there is one iteration only. Which one to use follows from the scenario, which no method is told.
_CHOSEN = {"noisy-label": ("ccp-untrusted", "accuracy"), "open-set": ("ccp-alone", "first_accuracy")}
_OTHERWISE = ("ccp-alone", "accuracy")
_CURVES = ("pseudo_label_accuracy", "strength_right", "strength_wrong", "p", "kl", "d_max")
_EXAMPLES = {"wrong": 3, "right": 2, "outlier": 1}


def make_page_data(rows: Sequence[Row]) -> dict[str, Any]:
    """The summary of a bench, and all else that its page shows."""
    done = [row for row in rows if row["error"] is None]
    return summarize(rows) | {
        "scenarios": {
            name: about for name, about in ABOUT.items() if any(r["scenario"] == name for r in rows)
        },
        "baseline": BASELINE,
        "unranked": list(UNRANKED),
        "ablations": [name for name in ABLATIONS if any(row["method"] == name for row in done)],
        "chosen": chosen_per_cell(done),
        "best": best_methods(done),
        "curves": curves(done),
        "variance": variances(done),
        "examples": examples(done),
        "cost": {name: _cost(done, name) for name in dict.fromkeys(row["method"] for row in done)},
        "failures": [
            {"cell": cell_of(row), **{key: row[key] for key in ("method", "seed", "error")}}
            for row in rows
            if row["error"] is not None
        ],
    }


def chosen_accuracy(row: Row) -> float | None:
    """The accuracy of a row if it is the variant of CCP chosen for its cell, otherwise None."""
    method, metric = _CHOSEN.get(row["scenario"], _OTHERWISE)
    accuracy: float | None = row.get(metric) if row["method"] == method else None
    return accuracy


def chosen_per_cell(rows: Sequence[Row]) -> dict[str, Any]:
    """CCP in the variant chosen for each cell, compared with the baseline.

    The choice is the paper's and needs knowledge of the problem: it depends on the scenario. `cells` has the
    accuracy in every cell where that variant was run, and the baseline's if it was run too; `missing` are the
    other cells of the baseline. `regret` is the gap to the best method.
    """
    ours = [
        row | {"accuracy": accuracy, "method": "ccp"}
        for row in rows
        if (accuracy := chosen_accuracy(row)) is not None
    ]
    scores = mean_scores(ours).get("ccp", {})
    base = mean_scores(row for row in rows if row["method"] == BASELINE).get(BASELINE, {})
    best = {cell: own["accuracy"] for cell, own in best_methods(rows).items()}
    found = {(cell_of(r), r["seed"]): r["accuracy"] for r in rows if r["method"] == BASELINE}
    pairs = [
        (row["seed"], row["accuracy"] - found[key])
        for row in ours
        if (key := (cell_of(row), row["seed"])) in found
    ]
    return {
        "cells": {
            cell: {
                "method": _CHOSEN.get(cell.rpartition("-")[0], _OTHERWISE)[0],
                "first": _CHOSEN.get(cell.rpartition("-")[0], _OTHERWISE)[1] == "first_accuracy",
                "accuracy": score,
                "baseline": base.get(cell),
                "difference": None if cell not in base else score - base[cell],
                "below": cell in base and is_below(score, base[cell]),
                "regret": max(0.0, best.get(cell, score) - score),
            }
            for cell, score in scores.items()
        },
        "missing": [cell for cell in base if cell not in scores],
        "test": paired_test(pairs) if pairs else None,
    }


def best_methods(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """The highest accuracy of ranked methods in each cell, and the methods that reach it."""
    scores = {m: cells for m, cells in mean_scores(rows).items() if m not in UNRANKED}
    best: dict[str, dict[str, Any]] = {}
    for cell in in_order([cell for cells in scores.values() for cell in cells]):
        own = {method: cells[cell] for method, cells in scores.items() if cell in cells}
        top = max(own.values())
        best[cell] = {"accuracy": top, "methods": [m for m, s in own.items() if not is_below(s, top)]}
    return best


def curves(rows: Sequence[Row]) -> dict[str, dict[str, dict[str, list[Any]]]]:
    """Metrics of each method and cell after every iteration, means over seeds."""
    found: dict[str, dict[str, dict[str, list[Any]]]] = {}
    for cell in in_order([cell_of(row) for row in rows]):
        for method in dict.fromkeys(row["method"] for row in rows):
            own = [
                r["history"] for r in rows if r["method"] == method and cell_of(r) == cell and r["history"]
            ]
            if own:
                found.setdefault(method, {})[cell] = _curve(own)
    return found


def _curve(histories: Sequence[Sequence[Row]]) -> dict[str, list[Any]]:
    ends = [end for history in histories for end in history if end.get("iteration") is not None]
    iterations = sorted({end["iteration"] for end in ends})
    return {"iteration": iterations} | {
        name: [_mean(end.get(name) for end in ends if end["iteration"] == m) for m in iterations]
        for name in _CURVES
    }


def variances(rows: Sequence[Row]) -> dict[str, list[dict[str, Any]]]:
    """The variance of credibility before and after averaging over epochs, by method: means over runs."""
    found: dict[str, list[dict[str, Any]]] = {}
    for method in dict.fromkeys(row["method"] for row in rows if row.get("watched")):
        own = [v for row in rows if row["method"] == method and row.get("watched") for v in _variance(row)]
        found[method] = [
            {"iteration": m}
            | {
                name: _mean(v[name] for v in own if v["iteration"] == m)
                for name in ("epochs", "single", "mean")
            }
            for m in sorted({v["iteration"] for v in own})
        ]
    return found


def _variance(row: Row) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = row["watched"]["variance"]
    return found


def examples(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """A few tracked samples of each kind, from as many cells as possible."""
    cells = in_order([cell_of(row) for row in rows])
    found: list[tuple[tuple[int, int, str, int], dict[str, Any]]] = []
    for row in (row for row in rows if row.get("watched")):
        seen: dict[str, int] = {}
        for sample in row["watched"]["samples"]:
            turn = seen[sample["kind"]] = seen.get(sample["kind"], 0) + 1
            order = (turn, row["seed"], row["method"], cells.index(cell_of(row)))
            about = {"cell": cell_of(row), "method": row["method"], "seed": row["seed"]}
            found.append((order, {**about, **sample, "iterations": row["watched"]["iterations"]}))
    found.sort(key=lambda pair: pair[0])
    ordered = [sample for _, sample in found]
    return [s for kind, most in _EXAMPLES.items() for s in [s for s in ordered if s["kind"] == kind][:most]]


def _cost(rows: Sequence[Row], method: str) -> dict[str, float | None]:
    """The mean cost of a run of the method."""
    own = [row for row in rows if row["method"] == method]
    return {name: _mean(row.get(name) for row in own) for name in ("seconds", "samples", "steps")}


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
