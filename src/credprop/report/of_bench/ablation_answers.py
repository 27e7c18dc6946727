"""The question behind each ablation, and the answer of its runs."""

from typing import Any

from credprop.report.formatting import several
from credprop.report.of_bench.bench_formatting import PageData, is_lower, size

QUESTIONS = {
    "seal": "Softmax instead of credibility (SEAL)",
    "ccp-no-subsampling": "No subsampling (d_max = 0)",
    "ccp-classification-loss-only": "Classifier trained with Eq. 2 only, instead of both losses",
    "ccp-no-reset": "Encoder not reset before each iteration",
    "ccp-subsample-final": "Subsampling also applied to the final credibility vectors",
    "ccp-no-pretraining": "No pretraining",
    "ccp-no-squaring": "Classifier samples weighted by credibility, not its square",
    "ccp-no-balancing": "Classifier without balancing of classes and of given vs. refined labels",
    "ccp-no-slowing": "First iteration at the full learning rate, even with uneven class counts",
    "ccp-no-second-opinion": "Classifier without a regression on the given labels",
    "ccp-no-settling": "First iteration always trains the network",
    "ccp-dmax-0.001": "A tighter bound, d_max = 0.001",
    "ccp-dmax-0.1": "A looser bound, d_max = 0.1",
    "ccp-dmax-0.1-constant": "A looser bound, d_max = 0.1, that stays constant",
}


def answers(bench: PageData) -> list[dict[str, Any]]:
    """The mean change by every ablation, over the cells in which CCP was run too."""
    ccp = bench["methods"].get("ccp-alone")
    names = [name for name in ("seal", *bench["ablations"]) if ccp and name in bench["methods"]]
    return [_answer(bench, name) for name in names]


def _answer(bench: PageData, name: str) -> dict[str, Any]:
    ours, own = bench["methods"]["ccp-alone"], bench["methods"][name]
    cells = [cell for cell in own["accuracy"] if cell in ours["accuracy"]]
    difference = _mean_difference(own["accuracy"], ours["accuracy"])
    labels = _mean_difference(own["pseudo_label_accuracy"] or {}, ours["pseudo_label_accuracy"] or {})
    lower = sum(is_lower(own["accuracy"][cell], ours["accuracy"][cell]) for cell in cells)
    return {
        "name": name,
        "question": QUESTIONS.get(name, name),
        "accuracy": _words(difference),
        "labels": _words(labels),
        "cells": f"lower than ccp-alone in {lower} of {several(len(cells), 'cell')}" if cells else "",
    }


def _mean_difference(own: dict[str, float], other: dict[str, float]) -> float | None:
    both = [own[cell] - other[cell] for cell in own if cell in other]
    return sum(both) / len(both) if both else None


def _words(difference: float | None) -> str:
    if difference is None:
        return "unknown"
    if abs(difference) < 0.0005:
        return "no difference"
    return f"{size(difference)} {'higher' if difference > 0 else 'lower'}"
