"""The certificate: its figures by hand, its interval in a simulation."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from credprop.trial.certificate import Certificate, compare, interval, mcnemar


def certificate(predicted: dict[str, Any], labels: Any, **changes: Any) -> Certificate:
    options: dict[str, Any] = {"metric": "accuracy", "folds": 4, "training_labels": 30.0, "weights": {}}
    return compare(
        {name: np.array(own) for name, own in predicted.items()}, np.array(labels), 2, **options | changes
    )


def test_the_blend_is_compared_with_the_better_baseline() -> None:
    labels = [0] * 10
    found = certificate(
        {"blend": [0] * 9 + [1], "supervised": [0] * 5 + [1] * 5, "linear": [0] * 7 + [1] * 3}, labels
    )
    assert (found.baseline, found.ccp, found.supervised, found.linear) == ("linear", 0.9, 0.5, 0.7)
    assert found.difference == pytest.approx(0.2)
    assert (found.decided_by, found.hidden) == (2, 10)
    assert not found.proven


def test_without_a_linear_model_the_network_is_the_baseline() -> None:
    found = certificate({"blend": [0, 0], "supervised": [0, 1]}, [0, 0])
    assert (found.baseline, found.linear) == ("supervised", None)


def test_the_interval_is_the_formula() -> None:
    d = np.array([1.0, 0, 0, -1, 1, 1, 0, 1])
    padded = [*d.tolist(), 0.5**0.5, -(0.5**0.5)]
    n, mean = len(padded), sum(padded) / len(padded)
    s2 = sum((v - mean) ** 2 for v in padded) / (n - 1)
    margin = stats.t.ppf(0.975, n - 1) * (s2 * (1 / n + 0.5 / 6)) ** 0.5
    assert interval(d, 6.0) == pytest.approx((max(-1, mean - margin), min(1, mean + margin)))


def test_rows_that_do_not_differ_leave_room_for_doubt() -> None:
    low, high = interval(np.zeros(20), 15.0)
    assert low < 0 < high
    assert high == pytest.approx(-low)


def test_mcnemars_test_is_a_fair_coin() -> None:
    first = np.array([True] * 8 + [False, True, False])
    second = np.array([False] * 8 + [True, True, False])
    assert mcnemar(first, second) == pytest.approx(stats.binomtest(8, 9).pvalue)
    assert mcnemar(first, first) == 1.0


def test_a_clear_win_is_proven_and_a_clear_loss_is_worse() -> None:
    labels, right, wrong = [0] * 60, [0] * 55 + [1] * 5, [0] * 25 + [1] * 35
    win = certificate({"blend": right, "supervised": wrong}, labels, training_labels=45.0)
    loss = certificate({"blend": wrong, "supervised": right}, labels, training_labels=45.0)
    assert win.proven
    assert not win.worse
    assert loss.worse
    assert not loss.proven


@pytest.mark.parametrize("gain", [0.0, 0.1])
def test_the_interval_holds_the_true_difference_of_rows_that_are_independent(gain: float) -> None:
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(500):
        d = rng.choice([1.0, 0.0, -1.0], size=100, p=[0.1 + gain, 0.8 - gain, 0.1])
        low, high = interval(d, 75.0)
        held += low <= gain <= high
    assert held / 500 > 0.96  # wider than for independent rows, as those of folds are not
