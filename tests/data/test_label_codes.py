"""Labels of any type become codes 0..k-1, and -1 where there is none."""

import numpy as np
import pandas as pd
import pytest
import torch

from credprop.data import encode_labels


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
