"""Arrays that are wrong are refused with a word about what and where; odd ones work with a warning."""

import numpy as np
import pandas as pd
import pytest
import torch

from credprop import CCPClassifier
from credprop.data import encode_labels


def quick() -> CCPClassifier:
    return CCPClassifier(budget=0.05, max_iter=1, random_state=0)


RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 3)).astype(np.float32)
Y = np.array([0, 1] * 5 + [-1] * 10)


def put(value: float, row: int = 3, column: int = 1) -> np.ndarray:
    changed = X.copy()
    changed[row, column] = value
    return changed


WRONG = {
    "no labels at all": (X, np.full(20, -1), "no row has a label"),
    "no labels but None": (X, [None] * 20, "no row has a label"),
    "one class": (X, np.where(Y >= 0, 3, -1), "all labels are of one class"),
    "-1 and 1": (X, np.where(Y > 0, 1, -1), "unlabeled_label"),
    "-1 and 1 as floats": (X, np.where(Y > 0, 1.0, -1.0), "unlabeled_label"),
    "NaN in a feature": (put(np.nan), Y, "contains NaN"),
    "infinity in a feature": (put(np.inf), Y, "contains infinity"),
    "a number too large": (put(3.0).astype(float) * 1e200, Y, "too large"),
    "infinity in y": (X, np.where(Y == 0, np.inf, 1.0), "contains infinity"),
    "ragged rows": ([[1, 2], [3]] * 10, Y, "inhomogeneous|sequence"),
    "text and numbers": (X, ["a", 1] * 10, "labels mix text .* and numbers"),
    "numbers and truth values": (X, [1, True] * 10, "labels mix numbers .* and truth values"),
    "a list as label": (X, [[1], "a"] * 10, "list"),
    "fractions as labels": (X, np.where(Y >= 0, Y + 0.37 * np.arange(20), np.nan), "Unknown label type"),
    "fewer labels than rows": (X, Y[:-1], "inconsistent numbers of samples"),
    "one row": (X[:1], Y[:1], "1 sample|minimum of 2"),
    "no row": (X[:0], Y[:0], "0 sample"),
    "no feature": (X[:, :0], Y, "0 feature"),
    "five dimensions": (np.zeros((20, 1, 2, 2, 2), np.float32), Y, "shape"),
    "one dimension": (X[:, 0], Y, "Expected 2D array"),
    "images beyond [0, 1]": (np.full((20, 3, 8, 8), 7.0, np.float32), Y, "range from 7"),
    "complex numbers": (X + 1j, Y, "Complex data not supported"),
    "no y": (X, None, "requires y"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arrays_are_refused(name: str) -> None:
    x, y, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        quick().fit(x, y)


ODD = {
    "nothing unlabeled": (X, np.arange(20) % 2, "no row is unlabeled"),
    "a class with one label": (
        X,
        np.where(np.arange(20) == 0, 2, Y),
        r"1 of 3 classes have one label only \(2\)",
    ),
    "a constant feature": (X * [1, 0, 1], Y, r"1 of 3 features are constant \(1\)"),
    "a named constant feature": (pd.DataFrame(X * [1, 0, 1], columns=list("abc")), Y, r"constant \(b\)"),
}


@pytest.mark.parametrize("name", ODD)
def test_odd_arrays_work_with_a_warning(name: str) -> None:
    x, y, message = ODD[name]
    with pytest.warns(UserWarning, match=message):
        fitted = quick().fit(x, y)
    assert np.isfinite(fitted.predict_proba(x)).all()


def test_new_rows_must_look_like_those_before() -> None:
    pictures = RNG.random((20, 3, 8, 8)).astype(np.float32)
    with pytest.raises(ValueError, match=r"samples have shape .* fitted on \(3, 8, 8\)"):
        CCPClassifier(budget=0.01, max_iter=1).fit(pictures, Y).predict(pictures[:, :, :4])
    with pytest.raises(ValueError, match="X has 2 features, but CCPClassifier is expecting 3"):
        quick().fit(X, Y).predict(X[:, :2])


@pytest.mark.parametrize(
    ("labels", "classes", "codes"),
    [
        ([3, -1, 5], [3, 5], [0, -1, 1]),
        (["b", None, "a", ""], ["a", "b"], [1, -1, 0, -1]),
        ([float("nan"), 1.0, 2.0], [1.0, 2.0], [-1, 0, 1]),
        (["a", float("nan"), "b"], ["a", "b"], [0, -1, 1]),
        ([True, False, None], [False, True], [1, 0, -1]),
        (pd.Series(["x", None, "y"]), ["x", "y"], [0, -1, 1]),
        (pd.Series([1, None, 2], dtype="Int64"), [1, 2], [0, -1, 1]),
        (pd.Series([1, None, 2]), [1.0, 2.0], [0, -1, 1]),
        (pd.Categorical(["x", None, "y"]), ["x", "y"], [0, -1, 1]),
        (torch.tensor([0, 2, -1]), [0, 2], [0, 1, -1]),
        (np.array(["a", "", "b"]), ["a", "b"], [0, -1, 1]),
        ([-1, 0, 1], [0, 1], [-1, 0, 1]),
    ],
)
def test_labels_of_any_type_are_coded(labels: object, classes: list[object], codes: list[int]) -> None:
    coded = encode_labels(labels)
    assert coded.classes.tolist() == classes
    assert coded.codes.tolist() == codes


def test_another_marker_makes_minus_one_a_class() -> None:
    assert encode_labels([-1, 1, None], unlabeled_label=None).classes.tolist() == [-1, 1]
    assert encode_labels([-1, 1, 9], unlabeled_label=9).codes.tolist() == [0, 1, -1]
    assert encode_labels(["?", "a", "b"], unlabeled_label="?").codes.tolist() == [-1, 0, 1]
