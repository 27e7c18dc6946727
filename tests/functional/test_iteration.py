"""The end of an iteration, by hand; the whole of it against loops: tests/ccp/test_algorithm.py."""

import torch

from credprop.functional import consolidate, mean_of_draws, ranking


def test_a_sample_drawn_twice_counts_twice() -> None:
    total = torch.tensor([[3.0, -3.0], [1.0, -1.0]])
    assert mean_of_draws(total, torch.tensor([3, 2])).tolist() == [[1, -1], [0.5, -0.5]]


def test_scaling_is_by_the_strongest_mean_and_not_by_the_strongest_sum() -> None:
    total, count = torch.tensor([[0.9, -0.9], [0.4, -0.4]]), torch.tensor([9, 1])
    q = consolidate(mean_of_draws(total, count))
    torch.testing.assert_close(q, torch.tensor([[0.5, 0.0], [1.0, 0.0]]))  # means 0.1 and 0.4; adjusted


def test_ranking_is_by_the_mean_itself_and_not_by_the_clipped_strength() -> None:
    # Strengths after the last adjustment: 0.2 and 0.15. Largest means: 0.1 and 0.12.
    mean = torch.tensor([[0.1, -0.1], [0.12, -0.03]])
    torch.testing.assert_close(ranking(mean), torch.tensor([0.1, 0.12]))


def test_strongest_vector_gets_strength_one_and_nothing_positive_stays_unscaled() -> None:
    assert consolidate(torch.tensor([[0.2, 0.1, -0.3], [0.0, 0.05, 0.0]])).tolist() == [
        [0.5, 0, 0],
        [0, 0.25, 0],
    ]
    weak = torch.tensor([[-0.5, -0.2], [-0.1, -0.1]])
    torch.testing.assert_close(consolidate(weak), torch.tensor([[0.0, 0.3], [0.0, 0.0]]))


def test_nothing_to_refine_is_no_error() -> None:
    mean = mean_of_draws(torch.zeros(0, 3), torch.zeros(0, dtype=torch.long))
    assert consolidate(mean).shape == (0, 3)
    assert ranking(mean).shape == (0,)
