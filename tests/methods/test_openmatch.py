"""OpenMatch: its losses as plain loops, and FixMatch where no sample is rejected."""

import dataclasses
import math

import torch
from torch import nn

from credprop.methods import Batch
from credprop.methods.fixmatch import FixMatch
from credprop.methods.openmatch import (
    OpenMatch,
    is_inlier,
    membership_entropy,
    one_vs_all_loss,
    soft_consistency,
)
from credprop.networks import Model


def logits(n: int = 6) -> torch.Tensor:
    return 2 * torch.randn(n, 3, generator=torch.Generator().manual_seed(n))


class Always(nn.Module):
    """Heads that accept all samples, or none."""

    def __init__(self, accept: bool) -> None:
        super().__init__()
        self.sign = 1.0 if accept else -1.0

    def forward(self, b: torch.Tensor) -> torch.Tensor:
        inside = torch.full((len(b), 3), self.sign)
        return torch.cat([-inside, inside], dim=1)


def test_one_vs_all_loss_as_plain_loops() -> None:
    membership, y = logits(), torch.arange(6) % 3
    loss = one_vs_all_loss(membership, y)
    for i in range(6):
        inside = [1 / (1 + math.exp(-m)) for m in membership[i].tolist()]
        worst = max(-math.log(1 - inside[c]) for c in range(3) if c != y[i])
        assert abs(loss[i].item() - (worst - math.log(inside[int(y[i])]))) < 1e-5


def test_entropy_and_soft_consistency_as_plain_loops() -> None:
    first, second = logits(5), logits(5).flip(0)
    entropy, difference = membership_entropy(first), soft_consistency(first, second)
    for i in range(5):
        p, q = ([1 / (1 + math.exp(-m)) for m in side[i].tolist()] for side in (first, second))
        expected = [-(a * math.log(a) + (1 - a) * math.log(1 - a)) for a in p]
        assert abs(entropy[i].item() - sum(expected) / 3) < 1e-5
        squares = [(a - b) ** 2 + ((1 - a) - (1 - b)) ** 2 for a, b in zip(p, q, strict=True)]
        assert abs(difference[i].item() - sum(squares)) < 1e-5


def test_two_views_that_agree_are_consistent_and_certainty_has_no_entropy() -> None:
    assert soft_consistency(logits(), logits()).max() == 0
    assert membership_entropy(torch.full((2, 3), 60.0)).max() < 1e-6
    torch.testing.assert_close(membership_entropy(torch.zeros(2, 3)), torch.full((2,), math.log(2)))


def test_the_head_of_the_predicted_class_decides() -> None:
    membership = torch.tensor([[1.0, -1.0], [1.0, -1.0]])
    p = torch.tensor([[0.9, 0.1], [0.1, 0.9]])
    assert is_inlier(membership, p).tolist() == [True, False]


def test_where_no_sample_is_rejected_it_is_fixmatch(model: Model, batch: Batch) -> None:
    begun = dataclasses.replace(batch, progress=0.5)
    open_set = OpenMatch(heads=Always(accept=True), threshold=0.4)(model, begun)
    fixmatch = FixMatch(threshold=0.4)(model, begun)
    for name, loss in fixmatch.items():
        torch.testing.assert_close(open_set[name], loss)


def test_where_all_samples_are_rejected_nothing_is_learned_from_them(model: Model, batch: Batch) -> None:
    begun = dataclasses.replace(batch, progress=0.5)
    method = OpenMatch(heads=Always(accept=False), threshold=0.0)
    assert method(model, begun)["unsupervised"] == 0
    assert (method.guess(model, model.encoder(batch.u)) == -1).all()


def test_fixmatch_waits_for_the_heads(model: Model, batch: Batch) -> None:
    method = OpenMatch(heads=nn.Linear(12, 6))
    assert "unsupervised" not in method(model, batch)
    assert "unsupervised" in method(model, dataclasses.replace(batch, progress=0.2))
