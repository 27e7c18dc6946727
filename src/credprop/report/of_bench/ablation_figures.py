"""What each ablation asks, and what its runs answer, in words."""

from typing import Any

from credprop.report.of_bench.method_words import Found, is_lower, size
from credprop.report.words import several

QUESTIONS = {
    "seal": "Softmax in place of credibility (SEAL)",
    "ccp-no-subsampling": "No subsampling (d_max = 0)",
    "ccp-classification-loss-only": "The classifier from Eq. 2 alone in place of both losses",
    "ccp-no-reset": "Reusing the last state in place of resetting",
    "ccp-subsample-final": "Subsampling the final vectors too",
    "ccp-no-pretraining": "No pretraining",
    "ccp-no-squaring": "Vectors count by their credibility, not its square, for the classifier",
    "ccp-no-balancing": "The classifier balances neither classes nor given labels and others",
    "ccp-no-slowing": "A first iteration at full rate where numbers of labels differ",
    "ccp-no-abstaining": "Labels are spread over texts whatever shuffled ones would do",
    "ccp-no-second-opinion": "The classifier does not heed what trusted labels say alone",
    "ccp-no-settling": "A first iteration that always learns",
    "ccp-dmax-0.001": "A tighter bound, d_max = 0.001",
    "ccp-dmax-0.1": "A looser bound, d_max = 0.1",
    "ccp-dmax-0.1-constant": "A looser bound, d_max = 0.1, that never shrinks",
}


def answers(found: Found) -> list[dict[str, Any]]:
    """What every ablation that was run changes on average, over the cells that CCP was run in too."""
    of = found["methods"].get("ccp")
    names = [name for name in ("seal", *found["ablations"]) if of and name in found["methods"]]
    return [_answer(found, name) for name in names]


def _answer(found: Found, name: str) -> dict[str, Any]:
    ours, own = found["methods"]["ccp"], found["methods"][name]
    cells = [cell for cell in own["accuracy"] if cell in ours["accuracy"]]
    difference = _mean_difference(own["accuracy"], ours["accuracy"])
    labels = _mean_difference(own["pseudo_label_accuracy"] or {}, ours["pseudo_label_accuracy"] or {})
    lower = sum(is_lower(own["accuracy"][cell], ours["accuracy"][cell]) for cell in cells)
    return {
        "name": name,
        "question": QUESTIONS.get(name, name),
        "accuracy": _words(difference),
        "labels": _words(labels),
        "cells": f"lower than ccp in {lower} of {several(len(cells), 'cell')}" if cells else "",
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
