"""What the certificate compares: a score of predictions, and what each row contributes to it."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def accuracy(confusion: Floats) -> Floats:
    """Share of rows that are right."""
    return np.asarray(_diagonal(confusion).sum(axis=-1) / confusion.sum(axis=(-2, -1)))


def balanced_accuracy(confusion: Floats) -> Floats:
    """Mean recall over the classes that have rows."""
    rows = confusion.sum(axis=-1)
    recall = _diagonal(confusion) / np.where(rows > 0, rows, 1)
    return np.asarray(recall.sum(axis=-1) / (rows > 0).sum(axis=-1))


def macro_f1(confusion: Floats) -> Floats:
    """Mean F1 over the classes that have rows or predictions."""
    both = confusion.sum(axis=-1) + confusion.sum(axis=-2)
    f1 = 2 * _diagonal(confusion) / np.where(both > 0, both, 1)
    return np.asarray(f1.sum(axis=-1) / (both > 0).sum(axis=-1))


METRICS: dict[str, Callable[[Floats], Floats]] = {
    "accuracy": accuracy,
    "balanced-accuracy": balanced_accuracy,
    "macro-f1": macro_f1,
}


def check_metric(name: str) -> None:
    """Raise if there is no metric of this name."""
    if not isinstance(name, str) or name not in METRICS:
        raise ValueError(f"unknown metric {name!r}; use one of {', '.join(METRICS)}")


def score(metric: str, predicted: Ints, labels: Ints, k: int) -> float:
    """The score of predicted codes."""
    return float(METRICS[metric](_confusion(predicted, labels, k)))


def contributions(metric: str, predicted: Ints, labels: Ints, k: int) -> Floats:
    """A value for each row, whose mean is about the score: the jackknife's pseudo-values.

        v_i = n s - (n - 1) s_without_i

    Of accuracy they are 1 where a row is right, else 0.
    """
    n, confusion = len(labels), _confusion(predicted, labels, k)
    pairs, place = np.unique(np.stack([labels, predicted], axis=1), axis=0, return_inverse=True)
    without = np.repeat(confusion[None], len(pairs), axis=0)
    without[np.arange(len(pairs)), pairs[:, 0], pairs[:, 1]] -= 1
    left_out = METRICS[metric](without)[place.ravel()]
    return np.asarray(n * METRICS[metric](confusion) - (n - 1) * left_out)


def _confusion(predicted: Ints, labels: Ints, k: int) -> Floats:
    """How many rows of each class (first axis) are predicted as each."""
    return np.bincount(labels * k + predicted, minlength=k * k).reshape(k, k).astype(np.float64)


def _diagonal(confusion: Floats) -> Floats:
    return np.diagonal(confusion, axis1=-2, axis2=-1)
