"""The credibility of single samples over epochs, and the effect of averaging over epochs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

_KINDS = {"wrong": 2, "right": 1, "outlier": 1}  # number of samples of each kind to keep
_EPOCHS = 140  # number of epochs to keep, the first ones
_DIGITS = 3

Vectors = NDArray[np.float64]


def summarize_trajectories(learned: Any, truth: NDArray[np.int64]) -> dict[str, Any] | None:
    """A short summary of the tracked samples of a run; None if no samples were tracked.

    `iterations`: the iteration of every epoch. `samples`: a few samples with their credibility for the true
    class (`own`) and for the strongest other class (`other`) at every epoch. `variance`: the variance over
    epochs of all tracked samples, by iteration.
    """
    rows = [row for row in learned.history if row.get("watched")]
    tracked = list(getattr(learned, "watched", ()))
    if not rows or not tracked:
        return None
    vectors = np.array([row["watched"] for row in rows], dtype=float)  # (epochs, samples, k)
    iterations = np.array([row["iteration"] for row in rows])
    return {
        "iterations": iterations[:_EPOCHS].tolist(),
        "samples": examples(vectors, iterations, truth[tracked]),
        "variance": variance(vectors, iterations),
    }


def variance(vectors: Vectors, iterations: NDArray[np.int64]) -> list[dict[str, Any]]:
    """The variance of credibility before and after averaging over epochs (Eq. 5), by iteration.

    `single` is the variance over the epochs of an iteration. `mean` estimates the variance of their mean as
    (a - b)^2 / 4, with a and b the means over the first and the last half of the epochs. This is exact for
    independent halves and counts a drift as variance; independent epochs would have `single` / `epochs`. Both
    are means over samples and classes. Iterations of one epoch are left out.
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
    """The first few samples of each kind, with their trajectories.

    Outliers have no class; `wrong` samples have a wrong label after the first iteration, `right` samples a
    right one after every iteration. The label after an iteration is the strongest class of the mean over its
    epochs.
    """
    means = [vectors[iterations == m].mean(axis=0) for m in np.unique(iterations)]
    right = np.array([mean.argmax(axis=1) == truth for mean in means])  # (iterations, samples)
    kinds = np.select([truth < 0, ~right[0], right.all(axis=0)], ["outlier", "wrong", "right"], "")
    kept = [(kind, i) for kind, most in _KINDS.items() for i in np.flatnonzero(kinds == kind)[:most]]
    return [{"kind": kind, **_trajectory(vectors[:, i], int(truth[i]))} for kind, i in kept]


def _trajectory(vectors: Vectors, truth: int) -> dict[str, list[float | None]]:
    """Credibility for the true class (of an outlier: the strongest one) and for the strongest other class."""
    means = vectors.mean(axis=0)  # (k,)
    own = truth if truth >= 0 else int(means.argmax())
    other = int(np.delete(means, own).argmax())
    other += other >= own  # undo the deletion of `own`
    return {"own": _rounded(vectors[:_EPOCHS, own]), "other": _rounded(vectors[:_EPOCHS, other])}


def _rounded(values: Vectors) -> list[float | None]:
    return [round(v, _DIGITS) if np.isfinite(v) else None for v in values.tolist()]
