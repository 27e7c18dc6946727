"""scikit-learn's own promises, checked by scikit-learn."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from credprop import CCPClassifier, LabeledKFold, labeled_scorer


def quick(**changes: Any) -> CCPClassifier:
    return CCPClassifier(**({"budget": 0.05, "max_iter": 2, "random_state": 0} | changes))


def blobs(n: int = 120) -> tuple[np.ndarray, np.ndarray]:
    x, truth = make_blobs(n, centers=3, n_features=4, random_state=0)
    return x, truth


def declared_failures(estimator: CCPClassifier) -> dict[str, str]:
    return {"check_classifiers_classes": "uses -1 as a class, which marks unlabeled rows here"}


@pytest.mark.filterwarnings("ignore::UserWarning")
@parametrize_with_checks([quick()], expected_failed_checks=declared_failures)  # type: ignore[untyped-decorator]
def test_the_contract_of_scikit_learn(estimator, check) -> None:  # type: ignore[no-untyped-def]
    check(estimator)


def test_text_labels_with_gaps_come_out_as_text() -> None:
    x, truth = blobs()
    names = np.array(["a", "b", "c"], dtype=object)[truth]
    y = [name if i < 30 else [None, np.nan, ""][i % 3] for i, name in enumerate(names)]
    fitted = quick().fit(x, y)
    assert fitted.classes_.tolist() == ["a", "b", "c"]
    assert set(fitted.predict(x)) <= {"a", "b", "c"}
    assert (fitted.transduction_[:30] == names[:30]).all()


def test_a_frame_goes_in_and_its_columns_must_come_back() -> None:
    x, truth = blobs()
    frame = pd.DataFrame(x, columns=list("wxyz"))
    fitted = quick().fit(frame, pd.Series(truth).where(np.arange(len(x)) < 30))
    assert fitted.feature_names_in_.tolist() == list("wxyz")
    assert fitted.n_features_in_ == 4
    with pytest.raises(ValueError, match="feature names"):
        fitted.predict(frame[list("zyxw")])


def test_probabilities_are_probabilities_even_far_away() -> None:
    x, truth = blobs()
    fitted = quick().fit(x, np.where(np.arange(len(x)) < 30, truth, -1))
    far = np.concatenate([x, 1e6 * x, np.zeros_like(x)])
    probability = fitted.predict_proba(far)
    assert np.isfinite(probability).all()
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    assert (fitted.classes_[probability.argmax(axis=1)] == fitted.predict(far)).all()


def test_the_same_random_state_gives_the_same_and_another_another() -> None:
    x, truth = blobs()
    y = np.where(np.arange(len(x)) < 30, truth, -1)
    one, same, other = (quick(random_state=seed).fit(x, y).predict_proba(x) for seed in (0, 0, 1))
    assert (one == same).all()
    assert (one != other).any()


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
