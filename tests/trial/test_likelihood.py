"""The likelihood finds temperatures, weights and noise that simulated labels were drawn with."""

import pytest
import torch
from torch import Tensor

from credprop.trial.likelihood import (
    LEAST_NOISE,
    Belief,
    Prior,
    fit_likelihood,
    objective,
    without_hidden_labels,
)

WEAK = Prior(temperature=0.01, noise=0.01, weights=0.1)


def even(m: int) -> Belief:
    return Belief(torch.full((m,), 1 / m), torch.full((m,), 1 / m))


def draw(n: int, k: int, eta: float, seed: int = 0) -> tuple[Tensor, Tensor]:
    """True log-probabilities of rows, and labels of which a share eta says nothing."""
    generator = torch.Generator().manual_seed(seed)
    p = (2.5 * torch.randn(n, k, generator=generator, dtype=torch.float64)).softmax(dim=1)
    true = p.multinomial(1, generator=generator)[:, 0]
    silent = torch.rand(n, generator=generator) < eta
    return p.log(), torch.where(silent, torch.randint(k, (n,), generator=generator), true)


@pytest.mark.parametrize("eta", [0.0, 0.25, 0.6])
def test_the_share_of_labels_that_say_nothing_is_found(eta: float) -> None:
    log_p, labels = draw(3000, 4, eta)
    assert fit_likelihood(log_p[None], labels, even(1)).eta == pytest.approx(eta, abs=0.04)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_the_temperature_is_found(temperature: float) -> None:
    log_p, labels = draw(3000, 4, 0.0)
    sharp = (log_p * temperature).log_softmax(dim=1)  # too sure of itself if above one
    found = fit_likelihood(sharp[None], labels, even(1), WEAK)
    assert found.temperature.item() == pytest.approx(temperature, rel=0.1)


def test_the_better_candidate_gets_the_weight() -> None:
    log_p, labels = draw(2000, 4, 0.2)
    nonsense, _ = draw(2000, 4, 0.0, seed=1)
    found = fit_likelihood(torch.stack([nonsense, log_p]), labels, even(2))
    assert found.weights[1] > 0.9  # the rest is what ten labels' worth of belief keeps


def test_few_labels_leave_the_weights_at_what_was_expected() -> None:
    log_p, labels = draw(2, 4, 0.0)
    other, _ = draw(2, 4, 0.0, seed=1)
    belief = Belief(torch.tensor([0.3, 0.7]), torch.tensor([0.0, 1.0]))
    found = fit_likelihood(torch.stack([log_p, other]), labels, belief)
    torch.testing.assert_close(found.weights, torch.tensor([0.3, 0.7]).double(), atol=0.08, rtol=0)


def test_the_more_labels_say_nothing_the_more_is_expected_of_what_does_not_follow_them() -> None:
    belief = Belief(torch.tensor([0.8, 0.2]), torch.tensor([0.0, 1.0]))
    torch.testing.assert_close(belief.at(0.5), torch.tensor([0.4, 0.6]))
    generator = torch.Generator().manual_seed(0)
    labels = torch.randint(4, (40,), generator=generator)  # pure noise
    log_p = torch.randn(2, 40, 4, generator=generator).log_softmax(dim=2) * 3
    found = fit_likelihood(log_p, labels, belief)
    assert found.eta > 0.5
    assert found.weights[1] > 0.5


def test_the_fit_is_a_minimum_of_the_objective() -> None:
    log_p, labels = draw(50, 3, 0.3)
    other, _ = draw(50, 3, 0.0, seed=1)
    both, expected, prior = torch.stack([log_p, other]), torch.tensor([0.5, 0.5]).double(), Prior()
    found = fit_likelihood(both, labels, even(2), prior)

    def value(log_t: Tensor, log_w: Tensor, eta: float) -> float:
        at = log_t, log_w.log_softmax(dim=0), torch.tensor(eta).double()
        return objective(both, labels, expected, at, prior).item()

    log_t, log_w = found.temperature.log(), found.weights.log()
    reached = value(log_t, log_w, found.eta)
    generator = torch.Generator().manual_seed(0)
    for _ in range(50):
        other_t, other_w = (v + 0.05 * torch.randn(2, generator=generator).double() for v in (log_t, log_w))
        eta = min(max(found.eta + 0.02 * torch.randn((), generator=generator).item(), 0), 1)
        assert value(other_t, other_w, eta) >= reached - 1e-6


def test_without_hidden_labels_the_belief_is_all_there_is() -> None:
    found = without_hidden_labels(Belief(torch.tensor([0.3, 0.7]), torch.tensor([0.5, 0.5])))
    assert found.eta == LEAST_NOISE
    torch.testing.assert_close(found.weights, torch.tensor([0.3, 0.7]).double(), atol=1e-6, rtol=0)
    assert found.temperature.tolist() == [1.0, 1.0]
