"""The losses against plain loops, their limits by name, and their behavior on degenerate batches."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.functional import cross_entropy, one_hot

import oracles
from credprop.functional import (
    angular_similarity,
    simclr_loss,
    soft_contrastive_loss,
    soft_cross_entropy,
)
from functional.conftest import CREDIBILITY, dense_credibility, embeddings, sparse_credibility

SETTINGS = settings(deadline=None)


def as_float64(values: oracles.Vector) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


def gradient(value: Tensor, leaf: Tensor) -> Tensor:
    (result,) = torch.autograd.grad(value, leaf)
    return result


@pytest.mark.parametrize("temperature", [1.0, 0.1, 0.01])
def test_contrastive_loss_equals_the_equation(q: Tensor, temperature: float) -> None:
    phi = torch.rand(12, 12, generator=torch.Generator().manual_seed(1), dtype=torch.float64)  # not symmetric
    expected = oracles.soft_contrastive_loss(phi.tolist(), q.tolist(), temperature)
    torch.testing.assert_close(soft_contrastive_loss(phi, q, temperature=temperature), as_float64(expected))


def test_batch_loss_is_the_mean_of_weighted_losses() -> None:
    phi, q = angular_similarity(embeddings(8)), sparse_credibility(8, 3)
    per_sample = oracles.soft_contrastive_loss(phi.tolist(), q.tolist(), 0.1)
    torch.testing.assert_close(soft_contrastive_loss(phi, q).mean().item(), sum(per_sample) / 8)


def test_contrastive_gradient_equals_finite_differences(q: Tensor) -> None:
    phi = angular_similarity(embeddings(12)).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: soft_contrastive_loss(x, q), phi)


def test_whole_gradient_down_to_the_embedding_equals_finite_differences(q: Tensor) -> None:
    z = embeddings(12).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: soft_contrastive_loss(angular_similarity(x), q).mean(), z)


def test_one_hot_credibility_reduces_to_supcon_in_value_and_gradient() -> None:
    labels = torch.tensor([0, 1, 0, 2, 1, 0, 2, 3])
    phi = angular_similarity(embeddings(8)).requires_grad_()
    loss = soft_contrastive_loss(phi, one_hot(labels, 4).double())
    torch.testing.assert_close(loss, as_float64(oracles.supcon_loss(phi.tolist(), labels.tolist(), 0.1)))

    self_pair = torch.eye(8, dtype=torch.bool)
    log_p = (phi / 0.1).masked_fill(self_pair, -torch.inf).log_softmax(dim=1).masked_fill(self_pair, 0)
    same = (labels[:, None] == labels) & ~self_pair
    supcon = -(log_p * same).sum(dim=1) / same.sum(dim=1).clamp(min=1)
    torch.testing.assert_close(gradient(loss.mean(), phi), gradient(supcon.mean(), phi))


def test_pairs_of_views_alone_reduce_to_nt_xent_in_value_and_gradient() -> None:
    phi = angular_similarity(embeddings(10)).requires_grad_()
    loss = simclr_loss(phi)
    torch.testing.assert_close(loss, as_float64(oracles.nt_xent_loss(phi.tolist(), 0.1)))

    target = torch.arange(10).roll(5)
    logits = (phi / 0.1).masked_fill(torch.eye(10, dtype=torch.bool), -1e9)
    torch.testing.assert_close(gradient(loss.mean(), phi), gradient(cross_entropy(logits, target), phi))


def test_simclr_is_the_soft_loss_where_each_sample_is_its_own_class() -> None:
    phi = angular_similarity(embeddings(10))
    own_class = torch.eye(5, dtype=torch.float64).repeat(2, 1)
    torch.testing.assert_close(
        simclr_loss(phi, temperature=0.5), soft_contrastive_loss(phi, own_class, temperature=0.5)
    )


def test_cross_entropy_equals_the_equation(q: Tensor) -> None:
    logits = embeddings(12, 4)
    expected = oracles.soft_cross_entropy(logits.tolist(), q.tolist())
    torch.testing.assert_close(soft_cross_entropy(logits, q), as_float64(expected))


def test_one_hot_credibility_reduces_to_cross_entropy_in_value_and_gradient() -> None:
    logits, labels = embeddings(6, 4).requires_grad_(), torch.tensor([0, 3, 1, 2, 3, 0])
    soft = soft_cross_entropy(logits, one_hot(labels, 4).double())
    plain = cross_entropy(logits, labels, reduction="none")
    torch.testing.assert_close(soft, plain)
    torch.testing.assert_close(gradient(soft.sum(), logits), gradient(plain.sum(), logits))


@SETTINGS
@given(form=st.sampled_from(sorted(CREDIBILITY)), n=st.integers(2, 12), seed=st.integers(0, 1000))
def test_a_sample_without_credibility_neither_pulls_nor_pushes(form: str, n: int, seed: int) -> None:
    q, z = CREDIBILITY[form](n, 3, seed), embeddings(n, seed=seed).requires_grad_()
    q[0] = 0
    loss = soft_contrastive_loss(angular_similarity(z), q)
    assert loss[0] == 0
    torch.testing.assert_close(loss[1:], soft_contrastive_loss(angular_similarity(z[1:]), q[1:]))
    assert torch.equal(gradient(loss.sum(), z)[0], torch.zeros(5, dtype=torch.float64))


@SETTINGS
@given(
    form=st.sampled_from(sorted(CREDIBILITY)),
    n=st.integers(2, 12),
    k=st.integers(2, 5),
    seed=st.integers(0, 1000),
)
def test_reordering_samples_or_relabeling_classes_changes_nothing_else(
    form: str, n: int, k: int, seed: int
) -> None:
    q, phi = CREDIBILITY[form](n, k, seed), angular_similarity(embeddings(n, seed=seed))
    generator = torch.Generator().manual_seed(seed)
    samples, classes = torch.randperm(n, generator=generator), torch.randperm(k, generator=generator)
    loss = soft_contrastive_loss(phi, q)
    torch.testing.assert_close(soft_contrastive_loss(phi[samples][:, samples], q[samples]), loss[samples])
    torch.testing.assert_close(soft_contrastive_loss(phi, q[:, classes]), loss)


def degenerate_batches() -> dict[str, tuple[Tensor, Tensor]]:
    z, same = embeddings(8), torch.ones(8, 5, dtype=torch.float64)
    q = sparse_credibility(8, 4)
    one, opposite = torch.zeros_like(q), same.clone()
    one[3, 1] = 1
    opposite[::2] *= -1
    everyone = torch.eye(4, dtype=torch.float64).repeat(2, 1)
    return {
        "no credible sample": (z, torch.zeros_like(q)),
        "one credible sample": (z, one),
        "only credible samples": (z, everyone),
        "a class for each": (z, torch.eye(8, dtype=torch.float64)),
        "all of one class": (z, everyone[[0] * 8]),
        "identical embeddings": (same, everyone),
        "opposite embeddings": (opposite, everyone),
        "embeddings of zero": (torch.zeros_like(same), everyone),
        "one row": (z[:1], q[:1]),
        "dense": (same, dense_credibility(8, 4)),
    }


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("temperature", [0.1, 0.01])
@pytest.mark.parametrize("name", degenerate_batches())
def test_values_and_gradients_stay_finite(name: str, temperature: float, dtype: torch.dtype) -> None:
    z, q = degenerate_batches()[name]
    z, q = z.to(dtype).requires_grad_(), q.to(dtype)
    loss = soft_contrastive_loss(angular_similarity(z), q, temperature=temperature)
    assert loss.isfinite().all()
    assert gradient(loss.mean(), z).isfinite().all()


@pytest.mark.parametrize("temperature", [0.1, 0.01])
def test_single_precision_agrees_with_double_precision(q: Tensor, temperature: float) -> None:
    z = embeddings(12, 16)
    exact = soft_contrastive_loss(angular_similarity(z), q, temperature=temperature)
    rough = soft_contrastive_loss(angular_similarity(z.float()), q.float(), temperature=temperature)
    torch.testing.assert_close(rough.double(), exact, atol=2e-5, rtol=2e-5)


def test_half_precision_similarities_are_raised_before_they_are_divided_by_the_temperature(q: Tensor) -> None:
    phi = angular_similarity(embeddings(12)).bfloat16()
    q = q.bfloat16()
    exact = soft_contrastive_loss(phi.double(), q.double(), temperature=0.01)
    with torch.autocast("cpu", torch.bfloat16):
        rough = soft_contrastive_loss(phi, q, temperature=0.01)
    torch.testing.assert_close(rough.double(), exact, atol=1e-3, rtol=1e-4)


def test_arguments_are_left_as_they_were(q: Tensor) -> None:
    phi = angular_similarity(embeddings(12))
    before = phi.clone(), q.clone()
    soft_contrastive_loss(phi, q)
    simclr_loss(phi)
    assert torch.equal(phi, before[0])
    assert torch.equal(q, before[1])
