"""Rounds of propagation on a fixed similarity, and what decides about them."""

import pytest
import torch

import oracles
from credprop.functional import angular_similarity, consolidate, initial_credibility, propagate
from credprop.functional.additions import half_whitening, more_often_right, rounds_of_propagation


def world(n: int = 24, k: int = 3, labeled: int = 7) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    z = torch.randn(n, 5, generator=generator, dtype=torch.float64)
    labels = torch.where(torch.arange(n) < labeled, torch.arange(n) % k, -1)
    return angular_similarity(z), initial_credibility(labels, k).double(), labels


def half_whitened(b: torch.Tensor) -> torch.Tensor:
    mean, directions = half_whitening(b)
    return (b - mean) @ directions


@pytest.mark.parametrize("trusted", [True, False])
def test_rounds_are_the_loops(trusted: bool) -> None:
    similarity, q, labels = world()
    free = (labels < 0).nonzero()[:, 0] if trusted else torch.arange(len(q))
    expected = oracles.settle(similarity.tolist(), q.tolist(), free.tolist(), 5, 0.05)
    found = rounds_of_propagation(similarity, q, free, rounds=5, d_max=0.05)
    assert len(found) == 5
    for (heard, began, *_), (loop_heard, loop_began) in zip(found, expected, strict=True):
        torch.testing.assert_close(heard, torch.tensor(loop_heard, dtype=torch.float64))
        torch.testing.assert_close(began, torch.tensor(loop_began, dtype=torch.float64))


def test_one_round_is_a_propagation_that_nothing_follows() -> None:
    similarity, q, labels = world()
    ((heard, began, p_last, d_max),) = rounds_of_propagation(
        similarity, q, (labels < 0).nonzero()[:, 0], rounds=1
    )
    assert torch.equal(heard, propagate(similarity, q))
    assert torch.equal(began, q)
    assert (p_last, d_max) == (100, 0.01)


def test_rows_that_are_not_propagated_to_keep_their_credibility_and_the_argument_is_left_alone() -> None:
    similarity, q, labels = world()
    before = q.clone()
    *_, (_, last, _, _) = rounds_of_propagation(similarity, q, (labels < 0).nonzero()[:, 0], rounds=4)
    assert torch.equal(last[labels >= 0], q[labels >= 0])
    assert torch.equal(q, before)


def test_the_bound_shrinks_and_the_share_that_is_reset_never_grows() -> None:
    similarity, q, labels = world()
    made = rounds_of_propagation(
        similarity, q, (labels < 0).nonzero()[:, 0], rounds=4, d_max=0.4, d_max_decay=0.25
    )
    assert [d_max for *_, d_max in made] == [0.4, 0.1, 0.025, 0.00625]
    resets = [p_last for *_, p_last, _ in made]
    assert resets == sorted(resets, reverse=True)
    (heard, *_), (_, second, p, _) = made[:2]
    rows = (labels < 0).nonzero()[:, 0]
    after = consolidate(heard[rows])
    weakest = heard[rows].amax(dim=1).argsort(stable=True)[: p * len(rows) // 100]
    assert torch.equal(second[rows], after.index_fill(0, weakest, 0))


def test_no_sample_to_propagate_to_is_no_error() -> None:
    similarity, q, _ = world()
    made = rounds_of_propagation(similarity, q, torch.arange(0), rounds=3)
    assert all(torch.equal(began, q) for _, began, *_ in made)


def test_a_chain_of_neighbors_is_labeled_link_by_link() -> None:
    """Points on half a circle, the two ends labeled: the middle follows the nearer one."""
    angle = torch.linspace(0, torch.pi * 0.9, 12, dtype=torch.float64)
    labels = torch.full((12,), -1)
    labels[0], labels[-1] = 0, 1
    similarity = angular_similarity(torch.stack([angle.cos(), angle.sin()], dim=1))
    *_, (heard, *_) = rounds_of_propagation(
        similarity, initial_credibility(labels, 2).double(), torch.arange(1, 11), rounds=4
    )
    assert heard.argmax(dim=1).tolist() == [0] * 6 + [1] * 6


def test_half_whitened_rows_are_centered_uncorrelated_and_half_as_unequal() -> None:
    generator = torch.Generator().manual_seed(1)
    deviation = torch.tensor([16.0, 4.0, 1.0, 0.25], dtype=torch.float64)
    turn, _ = torch.linalg.qr(torch.randn(4, 4, generator=generator, dtype=torch.float64))
    b = 3 + (deviation * torch.randn(500, 4, generator=generator, dtype=torch.float64)) @ turn
    found = half_whitened(b)
    torch.testing.assert_close(found.mean(dim=0), torch.zeros(4, dtype=torch.float64), atol=1e-9, rtol=0)
    of_b = torch.linalg.eigvalsh(torch.cov(b.T, correction=0))
    expected = torch.diag(of_b.sqrt())  # variances var / var^(1/2)
    torch.testing.assert_close(torch.cov(found.T, correction=0), expected, atol=1e-9, rtol=1e-6)


def test_features_that_say_nothing_are_left_out_of_whitening() -> None:
    generator = torch.Generator().manual_seed(1)
    b = torch.randn(50, 3, generator=generator)
    more = torch.cat([b, torch.full((50, 2), 7.0), b[:, :1]], dim=1)
    assert half_whitened(more).shape == half_whitened(b).shape == (50, 3)
    assert half_whitened(torch.ones(5, 3)).shape[0] == 5
    assert half_whitened(torch.ones(5, 3)).isfinite().all()


@pytest.mark.parametrize(
    ("wins", "losses", "better"),
    [(0, 0, False), (1, 0, False), (2, 0, True), (4, 1, True), (3, 1, False), (10, 7, False), (1, 4, False)],
)
def test_better_by_more_than_a_standard_error(wins: int, losses: int, better: bool) -> None:
    challenger = torch.tensor([True] * wins + [False] * losses + [True, False] * 5)
    champion = torch.tensor([False] * wins + [True] * losses + [True, False] * 5)
    assert more_often_right(challenger, champion) is better
    assert more_often_right(challenger, champion, errors=0.0) is (wins > losses)
    assert not more_often_right(challenger, champion, errors=2.0)
