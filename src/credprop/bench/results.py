"""Summary statistics of a bench: the table of accuracies and how each method compares."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from credprop.bench.results_folder import Row
from credprop.bench.scenarios import in_order
from credprop.bench.statistics import holm, interval, is_below, paired_p, ranks
from credprop.methods.ablations import ABLATIONS

BASELINE = "supervised"
UNRANKED = ("control", *ABLATIONS)  # shown for reference, not ranked
OURS = (
    "ccp",
    "ccp-alone",
    "ccp-untrusted",
    "ccp-paper",
    "ccp-paper-untrusted",
)  # CCP, in the order of a table

Scores = dict[str, dict[str, float]]  # by method and cell


def cell_of(row: Row) -> str:
    """The name of a row's cell: `base`, `few-label-2`."""
    return f"{row['scenario']}-{row['severity']}" if row["severity"] else str(row["scenario"])


def mean_scores(rows: Iterable[Row], metric: str = "accuracy") -> Scores:
    """The mean of a metric over seeds, by method and cell, in the order of a table."""
    found = _by_method_and_cell(rows, metric)
    return {m: {cell: fmean(seeds.values()) for cell, seeds in cells.items()} for m, cells in found.items()}


def normalized(scores: Scores) -> Scores:
    """Scores divided by the method's own score in the base case, where that is above zero."""
    return {
        method: {cell: score / cells["base"] for cell, score in cells.items()}
        for method, cells in scores.items()
        if cells.get("base")
    }


def below_baseline(scores: Scores) -> dict[str, list[str]]:
    """For each other method, the cells in which it is below the baseline."""
    base = scores.get(BASELINE, {})
    return {
        method: [cell for cell, score in cells.items() if cell in base and is_below(score, base[cell])]
        for method, cells in scores.items()
        if base and method != BASELINE
    }


def worst_regret(scores: Scores) -> dict[str, float]:
    """The largest gap of each ranked method to the best one over all cells."""
    ranked = _ranked(scores)
    best: dict[str, float] = {}
    for cells in ranked.values():
        best |= {cell: max(score, best.get(cell, score)) for cell, score in cells.items()}
    return {
        method: max(best[cell] - score for cell, score in cells.items()) for method, cells in ranked.items()
    }


def mean_rank(scores: Scores) -> dict[str, float]:
    """The mean rank of each ranked method over cells, 1 for the best."""
    ranked = _ranked(scores)
    found: dict[str, list[float]] = {method: [] for method in ranked}
    for cell in in_order([cell for cells in ranked.values() for cell in cells]):
        methods = [method for method, cells in ranked.items() if cell in cells]
        for method, rank in zip(methods, ranks([ranked[m][cell] for m in methods]), strict=True):
            found[method].append(rank)
    return {method: fmean(own) for method, own in found.items()}


def against_baseline(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """The mean difference of each ranked method to the baseline over pairs of runs, with its tests.

    A pair is one cell and seed that both have a result for. `interval` is over the means of the seeds;
    `p_holm` is `p_value` corrected for the number of methods.
    """
    found = _by_method_and_cell(rows, "accuracy")
    base = found.pop(BASELINE, {})
    tests: dict[str, dict[str, Any]] = {}
    for method, cells in _ranked(found).items():
        pairs = [
            (seed, score - base[cell][seed])
            for cell, seeds in cells.items()
            for seed, score in seeds.items()
            if seed in base.get(cell, {})
        ]
        if pairs:
            tests[method] = paired_test(pairs)
    corrected = holm([test["p_value"] for test in tests.values()])
    return {m: tests[m] | {"p_holm": p} for m, p in zip(tests, corrected, strict=True)}


def summarize(rows: Sequence[Row]) -> dict[str, Any]:
    """The table of a bench and its statistics, as plain JSON types."""
    scores = mean_scores(rows)
    by_seed = {seed: mean_scores(r for r in rows if r["seed"] == seed) for seed in _seeds(rows)}
    standings, tests = _standing(scores), against_baseline(rows)
    seeds = [_standing(own) for own in by_seed.values()]
    found, below = _by_method_and_cell(rows, "accuracy"), below_baseline(scores)
    first, relative = mean_scores(rows, "first_accuracy"), normalized(scores)
    pseudo = mean_scores(rows, "pseudo_label_accuracy")
    return {
        "data": rows[0]["data"] if rows else None,
        "cells": in_order([cell_of(row) for row in rows]),
        "seeds": list(by_seed),
        "runs": len(rows),
        "errors": sum(row["error"] is not None for row in rows),
        "methods": {
            method: {
                "accuracy": scores[method],
                "interval": {c: interval(list(s.values())) for c, s in found[method].items()},
                "normalized": relative.get(method),
                "first_accuracy": first.get(method),
                "pseudo_label_accuracy": pseudo.get(method),
                "below": below.get(method),
                **{
                    name: _with_interval(name, method, standings, seeds)
                    for name in ("cells_below", "worst_regret", "mean_rank")
                },
                "difference": tests.get(method),
                "seconds": fmean(_seconds(rows, method)),
            }
            for method in scores
        },
    }


def _standing(scores: Scores) -> dict[str, dict[str, float]]:
    below = {method: float(len(cells)) for method, cells in below_baseline(scores).items()}
    return {"cells_below": below, "worst_regret": worst_regret(scores), "mean_rank": mean_rank(scores)}


def _with_interval(
    name: str,
    method: str,
    standings: Mapping[str, Mapping[str, float]],
    seeds: Sequence[Mapping[str, Mapping[str, float]]],
) -> dict[str, Any] | None:
    """A statistic of the mean table, with its interval over the tables of single seeds."""
    if method not in standings[name]:
        return None
    own = [standing[name][method] for standing in seeds if method in standing[name]]
    return {"value": standings[name][method], "interval": interval(own)}


def paired_test(pairs: Sequence[tuple[int, float]]) -> dict[str, Any]:
    """The mean of differences (given with their seeds), its interval over seeds, and a test."""
    by_seed = [[d for s, d in pairs if s == seed] for seed in sorted({seed for seed, _ in pairs})]
    return {
        "mean": fmean(d for _, d in pairs),
        "interval": interval([fmean(own) for own in by_seed]),
        "pairs": len(pairs),
        "p_value": paired_p([d for _, d in pairs]),
    }


def _by_method_and_cell(rows: Iterable[Row], metric: str) -> dict[str, dict[str, dict[int, float]]]:
    """A metric by method, cell and seed, where it has a value."""
    given = [row for row in rows if row["error"] is None and row.get(metric) is not None]
    cells = in_order([cell_of(row) for row in given])
    found: dict[str, dict[str, dict[int, float]]] = {row["method"]: {} for row in given}
    for cell in cells:
        for row in (row for row in given if cell_of(row) == cell):
            found[row["method"]].setdefault(cell, {})[row["seed"]] = row[metric]
    return {method: found[method] for method in sorted(found, key=_place)}


def _place(method: str) -> tuple[int, str]:
    """Sort key: the baseline, CCP, the other methods, the ablations, then what is not ranked."""
    first = (BASELINE, *OURS)
    if method in UNRANKED:
        return len(first) + (1 if method in ABLATIONS else 2), method
    return (first.index(method) if method in first else len(first)), method


def _ranked(methods: Mapping[str, Any]) -> dict[str, Any]:
    return {method: value for method, value in methods.items() if method not in UNRANKED}


def _seeds(rows: Sequence[Row]) -> list[int]:
    return sorted({row["seed"] for row in rows})


def _seconds(rows: Sequence[Row], method: str) -> list[float]:
    return [row["seconds"] for row in rows if row["method"] == method and row["error"] is None]
