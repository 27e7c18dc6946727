"""The body of Algorithm 1 in one pass: equal to its parts, and to the equation."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import oracles
from credprop.functional import (
    angular_similarity,
    class_similarity_of_views,
    contrast_views,
    soft_contrastive_loss,
)
from functional.conftest import CREDIBILITY, embeddings, sparse_credibility

ROWS = torch.tensor([3, 0, 20, 11, 23])


def with_gradient(z: Tensor, q: Tensor, temperature: float = 0.1) -> tuple[Tensor, Tensor]:
    z = z.clone().requires_grad_()
    loss = contrast_views(z, q, torch.arange(0), temperature=temperature)[0]
    (gradient,) = torch.autograd.grad(loss, z)
    return loss.detach(), gradient


@pytest.mark.parametrize("temperature", [0.1, 0.01, 1.0])
def test_the_loss_is_the_mean_of_the_equation(q: Tensor, temperature: float) -> None:
    z = embeddings(24)
    phi, both = angular_similarity(z).tolist(), torch.cat([q, q]).tolist()
    expected = oracles.soft_contrastive_loss(phi, both, temperature)
    loss, _ = with_gradient(z, q, temperature)
    assert loss.item() == pytest.approx(sum(expected) / 24, rel=1e-9)


@settings(deadline=None)
@given(
    form=st.sampled_from(sorted(CREDIBILITY)),
    n=st.integers(1, 12),
    k=st.integers(2, 6),
    seed=st.integers(0, 1000),
)
def test_loss_and_gradient_are_those_of_similarity_and_loss_one_after_the_other(
    form: str, n: int, k: int, seed: int
) -> None:
    q, z = CREDIBILITY[form](n, k, seed), embeddings(2 * n, seed=seed).requires_grad_()
    expected = soft_contrastive_loss(angular_similarity(z), torch.cat([q, q])).mean()
    loss, gradient = with_gradient(z.detach(), q)
    torch.testing.assert_close(loss, expected.detach())
    torch.testing.assert_close(gradient, torch.autograd.grad(expected, z)[0])


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    q, z = sparse_credibility(4, 3), embeddings(8)
    assert torch.autograd.gradcheck(
        lambda x: contrast_views(x, q, torch.arange(0))[0], (z.requires_grad_(),), check_grad_dtypes=True
    )


def test_a_loss_that_counts_threefold_has_three_times_the_gradient() -> None:
    q, z = sparse_credibility(6, 3), embeddings(12).requires_grad_()
    loss = contrast_views(z, q, torch.arange(0))[0]
    (threefold,) = torch.autograd.grad(3 * loss, z)
    torch.testing.assert_close(threefold, 3 * with_gradient(z.detach(), q)[1])


def test_the_similarities_are_those_of_propagation(q: Tensor) -> None:
    z = embeddings(24)
    _, heard, opinion = contrast_views(z, q, ROWS)
    same_heard, same_opinion = class_similarity_of_views(angular_similarity(z), q, ROWS)
    torch.testing.assert_close(heard, same_heard)
    torch.testing.assert_close(opinion, same_opinion)


def test_nothing_is_learned_where_nothing_is_credible() -> None:
    loss, gradient = with_gradient(embeddings(8), torch.zeros(4, 3, dtype=torch.float64))
    assert loss == 0
    assert not gradient.any()


def test_equal_and_opposite_views_and_rows_of_zeros_have_finite_gradients() -> None:
    z = torch.tensor([[1.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]])
    for s in (1.0, 1e-6):
        loss, gradient = with_gradient(z, s * torch.eye(2), temperature=0.01)
        assert loss.isfinite()
        assert gradient.isfinite().all()


def test_half_precision_and_autocast_compute_in_single_precision() -> None:
    q, z = sparse_credibility(12, 4).float(), embeddings(24).bfloat16()
    expected, slope = with_gradient(z.double(), q.double())
    with torch.autocast("cpu", torch.bfloat16):
        loss, gradient = with_gradient(z, q)
    assert loss.dtype == torch.float32
    assert gradient.dtype == torch.bfloat16
    assert loss.item() == pytest.approx(expected.item(), rel=1e-5)
    torch.testing.assert_close(gradient.double(), slope, atol=1e-3, rtol=1e-2)  # rounded to half precision
