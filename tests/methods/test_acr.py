"""ACR: adjustments by hand, the estimate, and FixMatch where classes are equal."""

import dataclasses
import math

import pytest
import torch
from torch.nn.functional import cross_entropy

from credprop.data import PartlyLabeled
from credprop.methods import Batch
from credprop.methods.acr import ACR, adjusted, symmetric_divergence, unlikeness
from credprop.networks import Model


def data_with(counts: list[int]) -> PartlyLabeled:
    labels = torch.arange(3).repeat_interleave(torch.tensor(counts))
    return PartlyLabeled(x=torch.zeros(len(labels), 5), labels=labels, k=3)


def test_a_uniform_prior_changes_no_probability() -> None:
    logits = torch.randn(6, 4, generator=torch.Generator().manual_seed(0))
    uniform = torch.full((4,), 0.25)
    torch.testing.assert_close(adjusted(logits, uniform, 2.0).softmax(dim=1), logits.softmax(dim=1))


def test_an_adjustment_divides_the_probability_by_a_power_of_the_prior() -> None:
    prior = torch.tensor([0.8, 0.2])
    p = adjusted(torch.zeros(1, 2), prior, 2.0).softmax(dim=1)
    torch.testing.assert_close(p, torch.tensor([[0.04, 0.64]]) / 0.68)


def test_divergence_as_plain_loops() -> None:
    p, q = torch.tensor([0.7, 0.2, 0.1]), torch.tensor([0.3, 0.3, 0.4])
    pairs = list(zip(p.tolist(), q.tolist(), strict=True))
    expected = sum(a * math.log(a / b) + b * math.log(b / a) for a, b in pairs) / 2
    assert symmetric_divergence(p, q).item() == pytest.approx(expected, rel=1e-5)
    assert symmetric_divergence(p, p) == 0


def test_unlabeled_data_unlike_the_labels_is_adjusted_more() -> None:
    prior, uniform = torch.tensor([0.7, 0.2, 0.1]), torch.full((3,), 1 / 3)
    reverse = torch.tensor([0.1, 0.2, 0.7])
    assert unlikeness(prior, prior) < unlikeness(uniform, prior) < unlikeness(reverse, prior)
    distances = [symmetric_divergence(reverse, anchor).item() for anchor in (prior, uniform, reverse)]
    expected = math.exp(distances[0]) / sum(math.exp(d) for d in distances)
    assert unlikeness(reverse, prior) == pytest.approx(expected, rel=1e-5)


def test_the_order_of_the_classes_does_not_matter() -> None:
    prior, estimate, order = (
        torch.tensor([0.7, 0.2, 0.1]),
        torch.tensor([0.2, 0.3, 0.5]),
        torch.tensor([1, 2, 0]),
    )
    assert unlikeness(estimate[order], prior[order]) == pytest.approx(unlikeness(estimate, prior))


def test_with_equal_classes_both_branches_are_fixmatch_on_two_strong_views(
    model: Model, batch: Batch
) -> None:
    method = ACR.start(model, data_with([4, 4, 4]))
    method.threshold = 0.4
    losses = method(model, batch)
    plain = method.standard(model.encoder(batch.u)).softmax(dim=1).detach()
    balanced = model(batch.u).softmax(dim=1).detach()
    strong = model.encoder(1.5 * batch.u)
    pseudo, sure = plain.argmax(dim=1), plain.amax(dim=1) >= 0.4
    own = cross_entropy(method.standard(strong), pseudo, reduction="none") * sure
    other = cross_entropy(model.classifier(strong), pseudo, reduction="none")
    other = other * (sure | (balanced.amax(dim=1) >= 0.4))
    torch.testing.assert_close(losses["unsupervised"], own.mean())
    torch.testing.assert_close(losses["balanced unsupervised"], other.mean())
    torch.testing.assert_close(losses["balanced"], cross_entropy(model(batch.x), batch.y))


def test_the_estimate_follows_confident_predictions_after_the_beginning(model: Model, batch: Batch) -> None:
    method = ACR.start(model, data_with([8, 2, 2]))
    method.threshold = 0.0
    method(model, batch)
    assert torch.equal(method.estimate, torch.full((3,), 1 / 3))
    assert method.multiple(0.0) == 2.0
    method(model, dataclasses.replace(batch, progress=0.5))
    share = torch.bincount(model(batch.u).argmax(dim=1), minlength=3) / 12
    torch.testing.assert_close(method.estimate, 0.99 / 3 + 0.01 * share)
    assert 0 < method.multiple(0.5) < 2


def test_the_two_classifiers_start_apart(model: Model) -> None:
    method = ACR.start(model, data_with([8, 2, 2]))
    b = torch.randn(4, 12)
    assert not torch.allclose(method.standard(b), model.classifier(b))
