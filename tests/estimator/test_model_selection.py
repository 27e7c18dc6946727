"""Cross-validation with unlabeled rows."""

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from credprop import CCPClassifier, LabeledKFold, labeled_scorer


def quick(**changes: Any) -> CCPClassifier:
    return CCPClassifier(**({"trial": False, "budget": 0.05, "max_iter": 2, "random_state": 0} | changes))


def blobs(n: int = 120) -> tuple[np.ndarray, np.ndarray]:
    x, truth = make_blobs(n, centers=3, n_features=4, random_state=0)
    return x, truth


def test_cross_validation_tests_on_labeled_rows_only() -> None:
    x, truth = blobs()
    y = np.where(np.arange(len(x)) < 60, truth, -1)
    for train, test in LabeledKFold(3, random_state=0).split(x, y):
        assert (y[test] >= 0).all()
        assert not set(train) & set(test)
        assert set(np.flatnonzero(y < 0)) <= set(train)
    scores = cross_val_score(quick(), x, y, cv=LabeledKFold(3, random_state=0), scoring=labeled_scorer())
    assert scores.min() > 0.9


def test_the_scorer_leaves_unlabeled_rows_out() -> None:
    always = DummyClassifier(strategy="constant", constant=1).fit(np.zeros((2, 2)), [0, 1])
    y = np.array([1, 1, 0, -1, -1, -1])
    assert labeled_scorer("accuracy")(always, np.zeros((6, 2)), y) == pytest.approx(2 / 3)


def test_pipelines_and_grid_search_work() -> None:
    x, truth = blobs()
    y = np.where(np.arange(len(x)) < 60, truth, -1)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), quick()),
        {"ccpclassifier__trust_labels": [True, False], "ccpclassifier__max_iter": [1]},
        cv=LabeledKFold(2, random_state=0),
        scoring=labeled_scorer(),
    )
    search.fit(x, y)
    assert search.best_score_ > 0.9
