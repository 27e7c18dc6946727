"""Scores and what each row contributes, against scikit-learn and left-out rows."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score

from credprop.trial.scores import METRICS, check_metric, contributions, score

THEIRS = {
    "accuracy": accuracy_score,
    "balanced-accuracy": balanced_accuracy_score,
    "macro-f1": lambda y, p: f1_score(y, p, average="macro"),
}


def draw(n: int = 40, k: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    labels = rng.integers(k, size=n)
    return np.where(rng.random(n) < 0.6, labels, rng.integers(k, size=n)), labels


@pytest.mark.parametrize("metric", METRICS)
def test_a_score_is_scikit_learns(metric: str) -> None:
    predicted, labels = draw()
    assert score(metric, predicted, labels, 3) == pytest.approx(THEIRS[metric](labels, predicted))


@pytest.mark.parametrize("metric", METRICS)
def test_contributions_are_the_jackknifes(metric: str) -> None:
    predicted, labels = draw()
    n, whole = len(labels), THEIRS[metric](labels, predicted)
    kept = [np.delete(np.arange(n), i) for i in range(n)]
    expected = [n * whole - (n - 1) * THEIRS[metric](labels[rows], predicted[rows]) for rows in kept]
    np.testing.assert_allclose(contributions(metric, predicted, labels, 3), expected)


def test_a_row_contributes_to_accuracy_whether_it_is_right() -> None:
    predicted, labels = draw()
    np.testing.assert_allclose(contributions("accuracy", predicted, labels, 3), predicted == labels)


def test_an_unknown_metric_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(ValueError, match="unknown metric 'auc'; use one of accuracy, balanced-accuracy"):
        check_metric("auc")
