"""Trajectories and their variance, on numbers that can be checked by hand."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from credprop.bench.trajectories import examples, summarize_trajectories, variance


def moves(*classes: list[float]) -> np.ndarray:
    """One sample's vectors, epoch by epoch, from its values class by class."""
    return np.array(classes).T[:, None, :]


def test_independent_flips_average_out_and_a_drift_does_not() -> None:
    once = np.ones(4, dtype=int)
    flips = variance(moves([0.0, 1, 0, 1]), once)[0]
    assert flips == {"iteration": 1, "epochs": 4, "single": pytest.approx(1 / 3), "mean": 0}
    drift = variance(moves([0.0, 0, 1, 1]), once)[0]
    assert (drift["single"], drift["mean"]) == pytest.approx((1 / 3, 1 / 4))  # (0 - 1)^2 / 4


def test_the_variance_is_a_mean_over_samples_and_classes_in_every_iteration() -> None:
    two = np.concatenate([moves([0.0, 2, 5, 5], [1.0, 1, 1, 3]), moves([0.0, 0, 0, 0], [2, 2, 2, 2])], axis=1)
    first, second = variance(two, np.array([1, 1, 2, 2]))
    assert (first["single"], first["mean"]) == pytest.approx((2 / 4, 1 / 4))  # 2 and 4 / 4 of one of four
    assert (second["single"], second["mean"]) == pytest.approx((2 / 4, 1 / 4))
    assert (first["epochs"], second["iteration"]) == (2, 2)


def test_averaging_many_independent_epochs_divides_the_variance_by_their_number() -> None:
    noise = np.random.default_rng(0).normal(size=(50, 400, 3))
    found = variance(noise, np.ones(50, dtype=int))[0]
    assert found["single"] == pytest.approx(1, rel=0.05)
    assert found["mean"] == pytest.approx(1 / 50, rel=0.15)


def test_an_odd_epoch_in_the_middle_is_in_neither_half_and_one_epoch_has_no_variance() -> None:
    found = variance(moves([0.0, 7, 1]), np.ones(3, dtype=int))[0]
    assert found["mean"] == pytest.approx(1 / 4)
    assert variance(moves([1.0]), np.ones(1, dtype=int)) == []
    assert variance(moves([1.0, np.nan]), np.ones(2, dtype=int)) == []


def test_samples_are_shown_apart_by_the_label_after_the_first_iteration() -> None:
    vectors = np.zeros((4, 4, 3))
    vectors[:, 0] = [[0.2, 0.1, 0], [0.1, 0.4, 0], [0.9, 0, 0], [0.9, 0, 0]]  # class 1 first, then class 0
    vectors[:, 1] = [0.5, 0.1, 0.2]
    vectors[:, 2] = [0.1, 0.2, 0.3]
    vectors[:, 3] = [[0.5, 0, 0], [0.5, 0, 0], [0, 0.6, 0], [0, 0.6, 0]]  # right, then wrong: of no kind
    found = examples(vectors, np.array([1, 1, 2, 2]), np.array([0, 0, -1, 0]))
    assert [sample["kind"] for sample in found] == ["wrong", "right", "outlier"]
    assert found[0]["own"] == [0.2, 0.1, 0.9, 0.9]
    assert found[0]["other"] == [0.1, 0.4, 0, 0]
    assert found[1] == {"kind": "right", "own": [0.5] * 4, "other": [0.2] * 4}
    assert (found[2]["own"][0], found[2]["other"][0]) == (0.3, 0.2)  # the two strongest of an outlier


def learned(epochs: int, **more: Any) -> Any:
    vectors = np.random.default_rng(0).normal(size=(epochs, 20, 5)).tolist()
    history = [{"stage": "refine", "iteration": 1, "watched": epoch} for epoch in vectors]
    return SimpleNamespace(history=[{"stage": "pretrain"}, *history], watched=tuple(range(20)), **more)


def test_what_a_row_holds_of_a_long_run_is_bounded() -> None:
    found = summarize_trajectories(learned(1000), np.arange(20) % 5)
    assert found is not None
    assert len(found["iterations"]) == len(found["samples"][0]["own"]) == 140
    assert len(found["samples"]) <= 4
    assert found["variance"][0]["epochs"] == 1000
    assert len(str(found)) < 10_000


def test_a_run_without_tracked_samples_has_nothing_to_show() -> None:
    assert summarize_trajectories(SimpleNamespace(history=[{"loss": 1.0}]), np.zeros(3, dtype=int)) is None
    assert summarize_trajectories(SimpleNamespace(history=[], watched=()), np.zeros(3, dtype=int)) is None
