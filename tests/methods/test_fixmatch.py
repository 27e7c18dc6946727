"""FixMatch: limits and plain loops."""

import math

import torch
from torch.nn.functional import cross_entropy

from credprop.methods import Batch
from credprop.methods.fixmatch import FixMatch, confident, consistency
from credprop.networks import Model


def test_with_a_threshold_above_one_only_the_labels_count(model: Model, batch: Batch) -> None:
    losses = FixMatch(threshold=1.1)(model, batch)
    assert losses["unsupervised"] == 0
    torch.testing.assert_close(losses["supervised"], cross_entropy(model(batch.x), batch.y))
    torch.stack(list(losses.values())).sum().backward()
    taught = [p.grad.clone() for p in model.parameters() if p.grad is not None]
    model.zero_grad()
    cross_entropy(model(batch.x), batch.y).backward()
    alone = [p.grad for p in model.parameters() if p.grad is not None]
    torch.testing.assert_close(taught, alone)


def test_consistency_is_the_mean_log_loss_of_strong_views_over_all_rows(model: Model, batch: Batch) -> None:
    threshold, total = 0.4, 0.0
    weak, strong = model(batch.u).softmax(dim=1).tolist(), model(1.5 * batch.u).softmax(dim=1).tolist()
    for i in range(len(batch.u)):
        best = max(range(3), key=lambda c: weak[i][c])
        if weak[i][best] >= threshold:
            total -= math.log(strong[i][best])
    losses = FixMatch(threshold=threshold, weight=2.0)(model, batch)
    assert total > 0
    assert abs(losses["unsupervised"].item() - 2 * total / len(batch.u)) < 1e-6


def test_pseudo_labels_do_not_carry_a_gradient(model: Model, batch: Batch) -> None:
    p = model(batch.u).softmax(dim=1)
    logits = torch.zeros(12, 3, requires_grad=True)
    consistency(logits, p.detach(), 0.0).sum().backward()
    assert logits.grad is not None
    torch.testing.assert_close(
        logits.grad, torch.full((12, 3), 1 / 3) - torch.eye(3)[p.argmax(dim=1)], atol=1e-6, rtol=0
    )


def test_confident_says_minus_one_below_the_threshold() -> None:
    p = torch.tensor([[0.96, 0.04], [0.05, 0.95], [0.06, 0.94]])
    assert confident(p, 0.95).tolist() == [0, 1, -1]
