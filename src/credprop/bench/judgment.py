"""How far what a method says about its own result is true."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from credprop.bench.cells import Cell

BINS = 10
TRUST = 0.9  # confidence from which on a row counts as trusted


def summarize_judgment(learned: Any, cell: Cell) -> dict[str, Any] | None:
    """Calibration, trusted rows, label noise and label issues of a run; None if the method is silent on them.

    `calibration_error` is on test rows. `trusted` is the share of unlabeled rows that are trusted,
    `trusted_right` the share of these that are right; an outlier never is. `wrong` labels are among the given
    ones, `issues` those that are called issues, `found` those that are both.
    """
    judged = getattr(learned, "judged", None)
    if judged is None:
        return None
    unlabeled, given = cell.labels < 0, cell.labels >= 0
    trusted = unlabeled & (np.asarray(judged.confidence) >= TRUST)
    right = np.asarray(learned.pseudo_labels) == cell.truth
    issues, wrong = np.asarray(judged.issues), given & (cell.labels != cell.truth)
    probability = np.asarray(judged.probabilities(cell.test_x[cell.test_rows]))
    return {
        "calibration_error": calibration_error(probability, cell.test_truth),
        "trusted": float(trusted.sum() / max(1, unlabeled.sum())),
        "trusted_right": float(right[trusted].mean()) if trusted.any() else None,
        "label_noise": judged.label_noise,
        "given": int(given.sum()),
        "wrong": int(wrong.sum()),
        "issues": int(issues.sum()),
        "found": int((issues & wrong).sum()),
        **judged.facts,
    }


def calibration_error(
    probability: NDArray[np.float64], truth: NDArray[np.int64], bins: int = BINS
) -> float | None:
    """Mean gap between confidence and accuracy over bins of confidence, weighted by their rows."""
    if not len(truth):
        return None
    confidence = probability.max(axis=1)
    right = probability.argmax(axis=1) == truth
    place = np.minimum((confidence * bins).astype(int), bins - 1)
    gaps = np.bincount(place, weights=right - confidence, minlength=bins)
    return float(np.abs(gaps).sum() / len(truth))
