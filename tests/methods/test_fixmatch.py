"""FixMatch and distribution alignment: limits, plain loops, and problems they were made for."""

import math

import torch
from torch.nn.functional import cross_entropy

from credprop.methods import Batch
from credprop.methods.alignment import RunningMarginal, align, class_distribution
from credprop.methods.fixmatch import FixMatch, confident, consistency
from credprop.methods.fixmatch_da import AlignedFixMatch
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


def test_alignment_with_equal_marginals_changes_nothing() -> None:
    p = torch.rand(20, 4, generator=torch.Generator().manual_seed(0)).softmax(dim=1)
    torch.testing.assert_close(align(p, p.mean(dim=0), p.mean(dim=0)), p)


def test_alignment_by_hand() -> None:
    """A model that says class 0 four times too often: 0.8 * 0.25 and 0.2 * 1 are equal."""
    p, mean, target = torch.tensor([[0.8, 0.2]]), torch.tensor([0.8, 0.2]), torch.tensor([0.2, 0.2])
    torch.testing.assert_close(align(p, target, mean), torch.tensor([[0.5, 0.5]]))


def test_alignment_survives_a_class_that_is_never_predicted() -> None:
    p = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    assert align(p, torch.tensor([0.5, 0.5]), p.mean(dim=0)).isfinite().all()


def test_aligned_fixmatch_is_fixmatch_while_predictions_are_as_frequent_as_labels(
    model: Model, batch: Batch
) -> None:
    target = model(batch.u).softmax(dim=1).mean(dim=0).detach()
    plain, aligned = FixMatch(threshold=0.4), AlignedFixMatch(target=target, threshold=0.4)
    torch.testing.assert_close(aligned(model, batch), plain(model, batch))


def test_the_marginal_is_the_mean_over_the_last_batches() -> None:
    marginal = RunningMarginal(batches=2)
    for value in (0.2, 0.4, 0.8):
        mean = marginal.update(torch.tensor([[value, 1 - value]]))
    torch.testing.assert_close(mean, torch.tensor([0.6, 0.4]))
    torch.testing.assert_close(marginal.mean(), mean)


def test_shares_of_labels_count_a_class_without_any_as_one() -> None:
    labels = torch.tensor([0, 0, 0, -1, 2, -1])
    torch.testing.assert_close(class_distribution(labels, 3), torch.tensor([0.6, 0.2, 0.2]))
