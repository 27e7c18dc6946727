"""The blend and the likelihood of given labels, against plain loops and by hand."""

import math

import torch
from torch import Tensor

from credprop.functional.additions import blend, label_likelihood, true_class


def said(m: int = 3, n: int = 7, k: int = 4) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Log-probabilities of candidates, temperatures, weights, labels."""
    generator = torch.Generator().manual_seed(0)
    log_p = torch.randn(m, n, k, generator=generator, dtype=torch.float64).log_softmax(dim=2)
    labels = torch.randint(k, (n,), generator=generator)
    return log_p, torch.tensor([0.5, 1.0, 3.0]).double(), torch.tensor([0.2, 0.5, 0.3]).double(), labels


def test_the_blend_is_the_loop() -> None:
    log_p, temperature, weights, _ = said()
    found = blend(log_p, temperature, weights)
    for i in range(log_p.shape[1]):
        expected = [0.0] * 4
        for m in range(3):
            raised = [math.exp(v / temperature[m].item()) for v in log_p[m, i].tolist()]
            for c in range(4):
                expected[c] += weights[m].item() * raised[c] / sum(raised)
        torch.testing.assert_close(found[i], torch.tensor(expected).double())


def test_one_candidate_at_temperature_one_is_left_as_it_is() -> None:
    log_p, *_ = said(m=1)
    one = torch.ones(1).double()
    torch.testing.assert_close(blend(log_p, one, one), log_p[0].exp())


def test_a_label_is_likely_by_the_blend_or_by_chance() -> None:
    b = torch.tensor([[0.7, 0.2, 0.1]]).double()
    likely = label_likelihood(b, torch.tensor([1]), torch.tensor(0.3).double())
    torch.testing.assert_close(likely, torch.tensor([0.7 * 0.2 + 0.3 / 3]).double())


def test_likelihoods_of_all_labels_of_a_row_sum_to_one() -> None:
    log_p, temperature, weights, _ = said()
    b, eta = blend(log_p, temperature, weights), torch.tensor(0.4).double()
    total = sum(label_likelihood(b, torch.full((len(b),), c), eta) for c in range(4))
    torch.testing.assert_close(total, torch.ones(len(b)).double())


def test_the_true_class_is_found_by_bayes_rule() -> None:
    log_p, temperature, weights, labels = said()
    b, eta, k = blend(log_p, temperature, weights), 0.4, 4
    found = true_class(b, labels, torch.tensor(eta).double())
    for i, y in enumerate(labels.tolist()):
        joint = [b[i, c].item() * ((1 - eta) * (c == y) + eta / k) for c in range(k)]
        torch.testing.assert_close(found[i], torch.tensor([v / sum(joint) for v in joint]).double())


def test_without_noise_a_label_is_right_and_with_noise_alone_it_says_nothing() -> None:
    log_p, temperature, weights, labels = said()
    b = blend(log_p, temperature, weights)
    certain = true_class(b, labels, torch.tensor(0.0).double())
    torch.testing.assert_close(certain, torch.nn.functional.one_hot(labels, 4).double())
    torch.testing.assert_close(true_class(b, labels, torch.tensor(1.0).double()), b)
