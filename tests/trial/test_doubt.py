"""Which given labels are called issues."""

import torch

from credprop.functional.additions import true_class
from credprop.trial.doubt import find_issues, label_posterior


def posterior(quality: list[float]) -> torch.Tensor:
    """Two classes; the label is 0."""
    q = torch.tensor(quality).double()
    return torch.stack([q, 1 - q], dim=1)


def test_labels_are_issues_as_long_as_few_right_ones_are_expected_among_them() -> None:
    quality = [0.9, 0.01, 0.3, 0.05, 0.2]  # means in rising order: 0.01, 0.03, 0.087, 0.14, 0.29
    labels = torch.zeros(5, dtype=torch.long)
    assert find_issues(posterior(quality), labels, 0.1).tolist() == [False, True, False, True, True]
    assert find_issues(posterior(quality), labels, 0.15).tolist() == [False, True, True, True, True]


def test_no_label_that_is_itself_the_most_probable_is_an_issue() -> None:
    p = torch.tensor([[0.08, 0.07, *[0.85 / 13] * 13]]).double()
    assert not find_issues(p, torch.tensor([0]), 0.1).any()
    assert find_issues(p, torch.tensor([1]), 0.1).all()


def test_without_noise_no_label_is_an_issue() -> None:
    b = torch.rand(50, 4, generator=torch.Generator().manual_seed(0)).double()
    b, labels = b / b.sum(dim=1, keepdim=True), torch.arange(50) % 4
    assert not find_issues(label_posterior(b, labels, 0.0), labels).any()


def test_in_a_simulation_the_share_of_right_labels_among_issues_is_as_stated() -> None:
    generator = torch.Generator().manual_seed(0)
    n, k, eta = 20_000, 5, 0.4
    b = (3 * torch.randn(n, k, generator=generator).double()).softmax(dim=1)
    true = b.multinomial(1, generator=generator)[:, 0]
    silent = torch.rand(n, generator=generator) < eta
    labels = torch.where(silent, torch.randint(k, (n,), generator=generator), true)
    found = find_issues(true_class(b, labels, torch.tensor(eta).double()), labels)
    assert found.sum() > 1000
    assert (labels == true)[found].double().mean() < 0.12
