"""Wrong arrays are refused with what and where; unusual ones work with a warning."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from credprop import CCPClassifier
from credprop.estimator.validation import as_texts, check_gold, check_groups
from estimator.small import NEW, TEXT_LABELS, TEXTS, quick
from text_world import ROWS

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
    "numbers and truth values": (X, [1, True] * 10, "labels mix numbers .* and booleans"),
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
    "nothing unlabeled": (X, np.arange(20) % 2, "every row is labeled"),
    "a class with one label": (
        X,
        np.where(np.arange(20) == 0, 2, Y),
        r"1 of 3 classes have only one label \(2\)",
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


def test_gold_labels_are_marked_by_truth_values_or_by_ones() -> None:
    codes = np.array([0, 1, -1, 0])
    marks: list[Any] = [[True, False, False, True], [1, 0, 0, 1], pd.Series([1, 0, 0, 1])]
    for marked in marks:
        gold = check_gold(marked, codes)
        assert gold is not None
        assert gold.tolist() == [True, False, False, True]
    assert check_gold(None, codes) is None


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([True, False, False], "gold must be True or False for each of 4 rows"),
        ([[True], [False], [False], [True]], "for each of 4 rows"),
        (["yes", "no", "no", "no"], "gold must be True or False"),
        ([1.0, 0.0, 0.0, 0.0], "gold must be True or False"),
        ([2, 0, 0, 0], "gold must be True or False"),
        ([None, True, False, False], "gold must be True or False"),
        (True, "for each of 4 rows"),
        ([False, False, True, True], "gold marks row 2, which has no label; give it one"),
    ],
)
def test_marks_of_gold_labels_that_say_nothing_are_refused(gold: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_gold(gold, np.array([0, 1, -1, 0]))


def test_rows_of_a_group_get_the_same_number() -> None:
    names: list[Any] = [
        ["b", "a", "b", "c"],
        [7, 3, 7, 1],
        np.array(["b", "a", "b", "c"]),
        pd.Series([2, 1, 2, 0]),
    ]
    for groups in names:
        found = check_groups(groups, 4)
        assert found is not None
        assert found.tolist() == [0, 1, 0, 2]
    assert check_groups(None, 4) is None


@pytest.mark.parametrize("groups", [["a", "b"], [["a"], ["b"], ["a"], ["c"]], "abac", 4])
def test_groups_that_name_not_one_for_each_row_are_refused(groups: Any) -> None:
    with pytest.raises(ValueError, match="groups must name one group for each of 4 rows"):
        check_groups(groups, 4)


def test_a_fit_checks_gold_labels_and_groups() -> None:
    with pytest.raises(ValueError, match="gold marks row 10, which has no label"):
        quick().fit(X, Y, gold=np.ones(20, dtype=bool))
    with pytest.raises(ValueError, match="groups must name one group for each of 20 rows"):
        quick().fit(X, Y, groups=["a"] * 19)


def test_new_rows_must_have_the_shape_of_the_training_rows() -> None:
    images = RNG.random((20, 3, 8, 8)).astype(np.float32)
    with pytest.raises(ValueError, match=r"samples have shape .* fitted on \(3, 8, 8\)"):
        quick(budget=0.01).fit(images, Y).predict(images[:, :, :4])
    with pytest.raises(ValueError, match="X has 2 features, but CCPClassifier is expecting 3"):
        quick().fit(X, Y).predict(X[:, :2])


@pytest.mark.parametrize(
    "x",
    [
        ["a b", "c"],
        ("a b", "c"),
        np.array(["a b", "c"]),
        np.array([["a b"], ["c"]], dtype=object),
        pd.Series(["a b", "c"], index=[7, 3]),
        pd.Series(["a b", "c"], dtype="category"),
        pd.DataFrame({"t": ["a b", "c"]}, dtype="string"),
    ],
    ids=["list", "tuple", "array", "column", "series", "category", "frame"],
)
def test_texts_of_every_form_are_texts(x: Any) -> None:
    assert as_texts(x) == ["a b", "c"]


@pytest.mark.parametrize(
    "x",
    [
        [1, 2],
        [[1.0, 2.0]],
        X,
        np.zeros((4, 6, 6, 3)),
        pd.DataFrame(X),
        [None, None],
        "one text",
        [["a"], ["b"]],
    ],
    ids=["numbers", "lists", "vectors", "images", "frame", "nothing", "a text", "lists of texts"],
)
def test_other_things_are_no_texts(x: Any) -> None:
    assert as_texts(x) is None


def test_missing_texts_work_with_a_warning_of_their_row(reader: CCPClassifier) -> None:
    with pytest.warns(UserWarning, match=r"row 3 is empty .* \(rows like it: 2\)"):
        fitted = clone(reader).fit([*TEXTS[:3], None, np.nan, *TEXTS[5:]], TEXT_LABELS)
    with pytest.warns(UserWarning, match="row 1 is empty"):
        assert len(fitted.predict(["goal", ""])) == 2


WRONG_TEXTS: dict[str, tuple[list[Any], str]] = {
    "a number among texts": ([*TEXTS[:5], 7, *TEXTS[6:]], "row 5 is 7, not text"),
    "one text": (TEXTS[:1], "minimum of 2"),
    "empty texts": ([""] * ROWS, "no text in any row"),
    "fewer texts than labels": (TEXTS[:-1], "inconsistent numbers of samples"),
}


@pytest.mark.filterwarnings("ignore:row 0 is empty")
@pytest.mark.parametrize("name", WRONG_TEXTS)
def test_wrong_texts_are_refused(name: str) -> None:
    x, words = WRONG_TEXTS[name]
    with pytest.raises(ValueError, match=words):
        quick(encoder="text").fit(x, TEXT_LABELS if len(x) != 1 else TEXT_LABELS[:1])


def test_rows_of_another_kind_are_refused_when_predicted(reader: CCPClassifier) -> None:
    for other in (np.zeros((3, 4)), "one text", [[1.0]]):
        with pytest.raises(ValueError, match="X is not a list of texts; the model was fitted on texts"):
            reader.predict(other)
    vectors = quick().fit(np.random.default_rng(0).normal(size=(ROWS, 3)), TEXT_LABELS)
    with pytest.raises(ValueError, match="X holds text; the model was fitted on vectors"):
        vectors.predict(NEW)
    vectors.fit(TEXTS, TEXT_LABELS)
    assert not hasattr(vectors, "n_features_in_")
    assert vectors.predict(NEW).shape == (40,)
