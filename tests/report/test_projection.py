"""The map shows a bounded number of samples at finite positions."""

import numpy as np
import pytest

from credprop.report.projection import choose_points, two_dimensions
from report.example_runs import make_evidence


def test_the_map_holds_labeled_samples_first_and_leaves_room_for_others() -> None:
    evidence = make_evidence(n=4_000, share=0.1)
    points = choose_points(evidence)
    assert (evidence.given[points] >= 0).sum() == (evidence.given >= 0).sum()
    crowded = choose_points(make_evidence(n=4_000, share=0.9), points=200)
    assert (make_evidence(n=4_000, share=0.9).given[crowded] >= 0).sum() >= 150
    assert crowded.max() > 3_600


@pytest.mark.parametrize("shape", [(5, 3), (1, 4), (70, 1), (80, 200)])
def test_a_map_has_two_finite_dimensions(shape: tuple[int, int]) -> None:
    position, _ = two_dimensions(np.random.default_rng(0).normal(size=shape))
    assert position.shape == (shape[0], 2)
    assert np.isfinite(position).all()


def test_samples_that_are_all_alike_have_a_map() -> None:
    position, method = two_dimensions(np.ones((100, 8)))
    assert method == "PCA"
    assert np.abs(position).max() < 1e-6


def test_groups_apart_stay_apart_on_the_map() -> None:
    centers = np.eye(3)[np.arange(90) % 3]
    position, method = two_dimensions(centers + 0.05 * np.random.default_rng(0).normal(size=(90, 3)))
    assert method == "t-SNE"
    means = np.stack([position[c::3].mean(axis=0) for c in range(3)])
    nearest = np.linalg.norm(position[:, None] - means, axis=2).argmin(axis=1)
    assert (nearest == np.arange(90) % 3).mean() > 0.95
