"""Angular similarity against the closed form, and its gradient where arccos has none."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import oracles
from credprop.functional import angular_similarity
from functional.conftest import embeddings


def test_similarity_equals_the_equation() -> None:
    z = embeddings(9)
    expected = torch.tensor(oracles.angular_similarity(z.tolist()), dtype=torch.float64)
    torch.testing.assert_close(angular_similarity(z), expected)


def test_known_angles() -> None:
    z = torch.tensor([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0], [1.0, 1.0]])
    expected = torch.tensor([1.0, 0.5, 0.0, 0.75])
    torch.testing.assert_close(angular_similarity(z)[0], expected)


@settings(deadline=None)
@given(n=st.integers(1, 20), d=st.integers(1, 8), seed=st.integers(0, 1000))
def test_similarity_is_symmetric_bounded_and_one_on_the_diagonal(n: int, d: int, seed: int) -> None:
    phi = angular_similarity(embeddings(n, d, seed).float())
    # Some processors add products in another order on each side; close to 1 an angle magnifies that.
    torch.testing.assert_close((math.pi * phi).cos(), (math.pi * phi.T).cos(), atol=1e-6, rtol=0)
    assert torch.equal(phi.diagonal(), torch.ones(n))
    assert phi.min() >= 0
    assert phi.max() <= 1


def test_length_of_an_embedding_does_not_matter() -> None:
    z = embeddings(6)
    torch.testing.assert_close(angular_similarity(z * torch.arange(1, 7)[:, None]), angular_similarity(z))


def test_gradient_equals_finite_differences() -> None:
    z = embeddings(5).requires_grad_()
    assert torch.autograd.gradcheck(angular_similarity, z)


def gradient_of_similarity(z: Tensor) -> Tensor:
    z = z.clone().requires_grad_()
    angular_similarity(z)[0, 1].backward()
    assert z.grad is not None
    return z.grad


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_gradient_is_finite_for_identical_opposite_and_zero_embeddings(dtype: torch.dtype) -> None:
    one = torch.tensor([0.3, -0.4, 0.5], dtype=dtype)
    z = torch.stack([one, one, -one, 2 * one, torch.zeros_like(one)]).requires_grad_()
    angular_similarity(z).sum().backward()
    assert z.grad is not None
    assert z.grad.isfinite().all()


@pytest.mark.parametrize("angle", [3e-3, 1e-3, 1e-5, math.pi - 1e-3, math.pi - 3e-3])
def test_following_the_gradient_brings_nearly_identical_and_nearly_opposite_embeddings_together(
    angle: float,
) -> None:
    z = torch.tensor([[1.0, 0.0], [math.cos(angle), math.sin(angle)]])
    gradient = gradient_of_similarity(z)
    toward = torch.tensor([[0.0, 1.0], [math.sin(angle), -math.cos(angle)]])  # unit tangents to each other
    assert ((gradient * toward).sum(dim=1) > 0).all()
    assert gradient.norm(dim=1).max() <= 1.1 / math.pi  # the slope of an angle is never larger


def test_gradient_of_a_close_pair_has_the_size_of_any_other_pair() -> None:
    z = torch.tensor([[1.0, 0.0], [1.0, 0.01]])
    torch.testing.assert_close(gradient_of_similarity(z)[0, 1].item(), 1 / math.pi, rtol=1e-2, atol=0)


def test_half_precision_is_computed_in_single_precision_even_under_autocast() -> None:
    z = embeddings(8, 64).bfloat16()
    expected = angular_similarity(z.double())
    with torch.autocast("cpu", torch.bfloat16):
        phi = angular_similarity(z)
    assert phi.dtype == torch.float32
    torch.testing.assert_close(phi.double(), expected, atol=1e-5, rtol=0)
