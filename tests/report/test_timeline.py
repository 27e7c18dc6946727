"""Losses and trajectories follow the history."""

import numpy as np

from credprop.report.timeline import losses, trajectories
from report.example_runs import make_evidence


def test_losses_are_a_line_a_stage_with_epochs_counted_through() -> None:
    lines = losses(make_evidence().history)
    assert [(line["stage"], line["iteration"]) for line in lines] == [
        ("pretrain", 0),
        ("refine", 1),
        ("refine", 2),
        ("build", 0),
    ]
    assert [line["x"] for line in lines] == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]


def test_a_tracked_sample_has_a_line_for_its_given_class_and_gaps_where_it_was_not_drawn() -> None:
    vectors = [[[0.5, 0.3, 0.2, 0.1, -0.9]], [[float("nan")] * 5], [[None] * 5]]
    history = [{"stage": "refine", "iteration": i, "watched": v} for i, v in enumerate(vectors)]
    (move,) = trajectories(history, np.array([4]))
    assert [line["class"] for line in move["lines"]] == [0, 1, 4]
    assert move["lines"][0]["y"] == [0.5, None, None]
    assert move["starts"] == [1.5, 2.5]


def test_at_most_eight_samples_are_tracked() -> None:
    history = [{"stage": "refine", "iteration": 1, "watched": np.zeros((30, 2)).tolist()}]
    assert len(trajectories(history, np.zeros(30, dtype=int))) == 8
