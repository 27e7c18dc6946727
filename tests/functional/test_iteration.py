"""The end of an iteration against plain loops."""

import pytest
import torch
from torch import Tensor

import oracles
from credprop.functional import consolidate, end_iteration, mean_of_draws, ranking
from functional.conftest import unclipped_credibility


def stored_vectors(n: int, k: int) -> list[oracles.Matrix]:
    """Adjusted vectors as an iteration stores them, more often for some samples than for others."""
    return [unclipped_credibility(2 + i % 3, k, seed=i).mul(0.2 + i / n).tolist() for i in range(n)]


def accumulated(stored: list[oracles.Matrix]) -> tuple[Tensor, Tensor]:
    total = torch.stack([torch.tensor(draws, dtype=torch.float64).sum(dim=0) for draws in stored])
    return total, torch.tensor([len(draws) for draws in stored])


@pytest.mark.parametrize("p_last", [100, 20])
@pytest.mark.parametrize("d_max", [0.0, 0.01, 0.1])
def test_end_of_an_iteration_equals_algorithm_1(p_last: int, d_max: float) -> None:
    stored = stored_vectors(120, 4)
    before, after, p = end_iteration(*accumulated(stored), p_last=p_last, d_max=d_max)
    expected_before, expected_after, expected_p = oracles.end_iteration(stored, p_last, d_max)
    assert p == expected_p
    assert (p == 0) == (d_max == 0)
    torch.testing.assert_close(before, torch.tensor(expected_before, dtype=torch.float64))
    torch.testing.assert_close(after, torch.tensor(expected_after, dtype=torch.float64))


def test_a_sample_drawn_twice_counts_twice() -> None:
    total = torch.tensor([[3.0, -3.0], [1.0, -1.0]])
    assert mean_of_draws(total, torch.tensor([3, 2])).tolist() == [[1, -1], [0.5, -0.5]]


def test_scaling_is_by_the_strongest_mean_and_not_by_the_strongest_sum() -> None:
    total, count = torch.tensor([[0.9, -0.9], [0.4, -0.4]]), torch.tensor([9, 1])
    before, _, _ = end_iteration(total, count)
    torch.testing.assert_close(before, torch.tensor([[0.5, 0.0], [1.0, 0.0]]))  # means 0.1 and 0.4; adjusted


def test_ranking_is_by_the_mean_itself_and_not_by_the_clipped_strength() -> None:
    # Strengths after the last adjustment: 0.2 and 0.15. Largest means: 0.1 and 0.12.
    mean = torch.tensor([[0.1, -0.1], [0.12, -0.03]])
    torch.testing.assert_close(ranking(mean), torch.tensor([0.1, 0.12]))
    _, after, p = end_iteration(mean, torch.tensor([1, 1]), d_max=9.0)
    assert p == 99
    assert after[0].tolist() == [0, 0]
    assert after[1, 0] > 0


def test_strongest_vector_gets_strength_one_and_nothing_positive_stays_unscaled() -> None:
    assert consolidate(torch.tensor([[0.2, 0.1, -0.3], [0.0, 0.05, 0.0]])).tolist() == [
        [0.5, 0, 0],
        [0, 0.25, 0],
    ]
    weak = torch.tensor([[-0.5, -0.2], [-0.1, -0.1]])
    torch.testing.assert_close(consolidate(weak), torch.tensor([[0.0, 0.3], [0.0, 0.0]]))


def test_nothing_to_refine_is_no_error() -> None:
    before, after, p = end_iteration(torch.zeros(0, 3), torch.zeros(0, dtype=torch.long))
    assert before.shape == after.shape == (0, 3)
    assert p == 0
