"""How the credibility of single samples moves from epoch to epoch, and what averaging does to it."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_KINDS = {"wrong": 2, "right": 1, "stranger": 1}  # how many samples of each kind are kept
_EPOCHS = 140  # of a sample are kept, the first ones
_DIGITS = 3

Vectors = NDArray[np.float64]


def watched(learned: Any, truth: NDArray[np.int64]) -> dict[str, Any] | None:
    """What the watched samples of a run show, small enough for its row; None where none were watched.

    `iterations` is the iteration of every epoch; `samples` are a few samples, each with its credibility for
    its true class (`own`) and for the strongest other one (`other`) at every epoch; `variance` is that of
    all watched samples, iteration by iteration.
    """
    rows = [row for row in learned.history if row.get("watched")]
    of = list(getattr(learned, "watched", ()))
    if not rows or not of:
        return None
    vectors = np.array([row["watched"] for row in rows], dtype=float)  # (epochs, samples, k)
    iterations = np.array([row["iteration"] for row in rows])
    return {
        "iterations": iterations[:_EPOCHS].tolist(),
        "samples": examples(vectors, iterations, truth[of]),
        "variance": variance(vectors, iterations),
    }


def variance(vectors: Vectors, iterations: NDArray[np.int64]) -> list[dict[str, Any]]:
    """The variance of labels before and after averaging over epochs (Eq. 5), iteration by iteration.

    `single` is the variance over the epochs of an iteration, `mean` that of their mean: with a and b the
    means over the first and the last half of the epochs, (a - b)^2 / 4. It is what independent halves would
    have, and counts a drift as variance; independent epochs would have `single` / `epochs`. Both are means
    over samples and classes. An iteration of one epoch has neither.
    """
    found = []
    for m in np.unique(iterations):
        own = vectors[iterations == m]  # (epochs, samples, k)
        if (half := len(own) // 2) and np.isfinite(own).all():
            apart = own[:half].mean(axis=0) - own[-half:].mean(axis=0)  # (samples, k)
            spread = own.var(axis=0, ddof=1).mean()
            numbers = {"single": float(spread), "mean": float((apart**2 / 4).mean())}
            found.append({"iteration": int(m), "epochs": len(own), **numbers})
    return found


def examples(
    vectors: Vectors, iterations: NDArray[np.int64], truth: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """The first few samples of each kind, with their lines.

    Strangers have no class; `wrong` ones have a wrong label after the first iteration, `right` ones a right
    one after every iteration. The label after an iteration is the strongest class of its mean.
    """
    means = [vectors[iterations == m].mean(axis=0) for m in np.unique(iterations)]
    right = np.array([mean.argmax(axis=1) == truth for mean in means])  # (iterations, samples)
    kinds = np.select([truth < 0, ~right[0], right.all(axis=0)], ["stranger", "wrong", "right"], "")
    kept = [(kind, i) for kind, most in _KINDS.items() for i in np.flatnonzero(kinds == kind)[:most]]
    return [{"kind": kind, **_lines(vectors[:, i], int(truth[i]))} for kind, i in kept]


def _lines(moves: Vectors, truth: int) -> dict[str, list[float | None]]:
    """Credibility for a sample's own class, a stranger's strongest, and for the strongest other one."""
    means = moves.mean(axis=0)  # (k,)
    own = truth if truth >= 0 else int(means.argmax())
    other = int(np.delete(means, own).argmax())
    other += other >= own  # the place before `own` was left out
    return {"own": _rounded(moves[:_EPOCHS, own]), "other": _rounded(moves[:_EPOCHS, other])}


def _rounded(values: Vectors) -> list[float | None]:
    return [round(v, _DIGITS) if np.isfinite(v) else None for v in values.tolist()]
