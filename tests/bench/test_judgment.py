"""How far what a method says about its own result is true."""

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from credprop.bench.cells import Cell
from credprop.bench.judgment import calibration_error, summarize_judgment
from credprop.bench.scenarios import scenarios
from credprop.methods.learned import Judged, Learned

CELL = Cell(
    x=np.zeros((8, 2)),
    rows=np.arange(8),
    labels=np.array([0, 1, 1, 0, -1, -1, -1, -1]),
    truth=np.array([0, 1, 0, 1, 0, 1, 1, -1]),  # the labels of rows 2 and 3 are wrong, row 7 is an outlier
    test_x=np.arange(5),
    test_rows=np.array([1, 3]),
    test_truth=np.array([0, 1]),
    class_names=("a", "b"),
    scenario=scenarios([90, 90])[0],
    seed=0,
)


def probabilities(x: Any) -> torch.Tensor:
    """Of rows that are numbers: row 1 is surely of the first class, all others are probably of it."""
    return torch.tensor([[1.0, 0.0] if i == 1 else [0.8, 0.2] for i in x], dtype=torch.float64)


def learned(**changes: Any) -> Learned:
    judged: dict[str, Any] = {
        "confidence": torch.tensor([1, 1, 1, 1, 0.95, 0.9, 0.89, 0.99]),
        "issues": torch.tensor([True, False, True, False, False, False, False, False]),
        "label_noise": 0.25,
        "probabilities": probabilities,
        "facts": {"shipped": "blend"},
    }
    return Learned(
        predict=lambda x: torch.zeros(len(x), dtype=torch.int64),
        pseudo_labels=torch.tensor([0, 1, 0, 1, 0, 0, 1, 0]),
        steps=1,
        samples=1,
        judged=Judged(**(judged | changes)),
    )


def error_by_a_loop(probability: NDArray[np.float64], truth: NDArray[np.int64], bins: int) -> float:
    total = 0.0
    for b in range(bins):
        confidence, right = [], []
        for row, label in zip(probability.tolist(), truth.tolist(), strict=True):
            last = b == bins - 1
            if b / bins <= max(row) < (b + 1) / bins or (last and max(row) == 1):
                confidence.append(max(row))
                right.append(row.index(max(row)) == label)
        if right:
            gap = abs(sum(right) / len(right) - sum(confidence) / len(confidence))
            total += gap * len(right) / len(truth)
    return total


@pytest.mark.parametrize("bins", [1, 7, 10])
def test_the_calibration_error_is_that_of_a_plain_loop(bins: int) -> None:
    rng = np.random.default_rng(0)
    probability = rng.dirichlet([0.3] * 4, 300)
    probability[:5] = np.eye(4)[0]  # confidence 1 belongs to the last bin
    truth = rng.integers(0, 4, 300)
    assert calibration_error(probability, truth, bins) == pytest.approx(
        error_by_a_loop(probability, truth, bins)
    )


def test_predictions_as_often_right_as_they_say_have_no_calibration_error() -> None:
    probability = np.tile([0.75, 0.25], (4, 1))
    assert calibration_error(probability, np.array([0, 0, 0, 1])) == pytest.approx(0)
    assert calibration_error(probability, np.array([1, 1, 1, 1])) == pytest.approx(0.75)


def test_without_test_rows_there_is_no_calibration_error() -> None:
    assert calibration_error(np.zeros((0, 2)), np.zeros(0, dtype=np.int64)) is None


def test_a_method_that_says_nothing_about_itself_is_not_judged() -> None:
    assert summarize_judgment(dataclasses.replace(learned(), judged=None), CELL) is None


def test_issues_are_counted_against_the_wrong_labels() -> None:
    found = summarize_judgment(learned(), CELL)
    assert found is not None
    assert (found["given"], found["wrong"], found["issues"], found["found"]) == (4, 2, 2, 1)
    assert found["label_noise"] == 0.25
    assert found["shipped"] == "blend"


def test_trusted_rows_are_unlabeled_and_an_outlier_among_them_is_never_right() -> None:
    found = summarize_judgment(learned(), CELL)
    assert found is not None
    assert found["trusted"] == 3 / 4  # rows 4, 5 and 7
    assert found["trusted_right"] == pytest.approx(1 / 3)
    unsure = summarize_judgment(learned(confidence=torch.full((8,), 0.5)), CELL)
    assert unsure is not None
    assert (unsure["trusted"], unsure["trusted_right"]) == (0, None)


def test_calibration_is_measured_on_the_test_rows_of_the_cell() -> None:
    found = summarize_judgment(learned(), CELL)
    assert found is not None
    assert found["calibration_error"] == pytest.approx((0 + 0.8) / 2)  # rows 1 and 3 of the test rows
