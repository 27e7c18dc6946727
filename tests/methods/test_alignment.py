"""Distribution alignment: limits and worked examples."""

import torch

from credprop.methods.alignment import RunningMarginal, align, class_distribution


def test_alignment_with_equal_marginals_changes_nothing() -> None:
    p = torch.rand(20, 4, generator=torch.Generator().manual_seed(0)).softmax(dim=1)
    torch.testing.assert_close(align(p, p.mean(dim=0), p.mean(dim=0)), p)


def test_alignment_by_hand() -> None:
    """A model that predicts class 0 four times too often: 0.8 * 0.25 and 0.2 * 1 are equal."""
    p, mean, target = torch.tensor([[0.8, 0.2]]), torch.tensor([0.8, 0.2]), torch.tensor([0.2, 0.2])
    torch.testing.assert_close(align(p, target, mean), torch.tensor([[0.5, 0.5]]))


def test_alignment_survives_a_class_that_is_never_predicted() -> None:
    p = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    assert align(p, torch.tensor([0.5, 0.5]), p.mean(dim=0)).isfinite().all()


def test_the_marginal_is_the_mean_over_the_last_batches() -> None:
    marginal = RunningMarginal(batches=2)
    for value in (0.2, 0.4, 0.8):
        mean = marginal.update(torch.tensor([[value, 1 - value]]))
    torch.testing.assert_close(mean, torch.tensor([0.6, 0.4]))
    torch.testing.assert_close(marginal.mean(), mean)


def test_shares_of_labels_count_a_class_without_any_as_one() -> None:
    labels = torch.tensor([0, 0, 0, -1, 2, -1])
    torch.testing.assert_close(class_distribution(labels, 3), torch.tensor([0.6, 0.2, 0.2]))
