"""scikit-learn's own promises, checked by scikit-learn."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.utils.estimator_checks import parametrize_with_checks

from credprop import CCPClassifier


def quick(**changes: Any) -> CCPClassifier:
    return CCPClassifier(**({"trial": False, "budget": 0.05, "max_iter": 2, "random_state": 0} | changes))


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


def test_a_frame_is_accepted_and_predict_needs_its_columns() -> None:
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
