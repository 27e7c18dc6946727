"""The likelihood of hidden labels: temperatures, weights and the share of labels that say nothing.

P(given label y | x) = (1 - eta) * sum_m w_m softmax(log p_m(x) / T_m)_y + eta / K
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.additions import blend, label_likelihood

LEAST_NOISE = 0.02  # no hidden labels prove that all labels are right
_STARTS = (0.03, 0.2, 0.5, 0.8)  # of eta: the objective may have more than one valley


@dataclass(frozen=True)
class Prior:
    """What is believed before any label is hidden, in units of labels."""

    temperature: float = 2.0  # times the square of log T of every candidate
    noise: float = 6.0  # times eta
    weights: float = 10.0  # labels that say how good the candidates are


PRIOR = Prior()


@dataclass(frozen=True, eq=False)
class Belief:
    """Expected weights of the candidates: where all labels say something, and where none does.

    The more labels are wrong, the less can hidden ones tell, and the more do those candidates deserve that
    do not take labels at their word.
    """

    quiet: Float[Tensor, " m"]
    noisy: Float[Tensor, " m"]

    def at(self, eta: float) -> Float[Tensor, " m"]:
        """Expected weights with a share eta of labels that say nothing."""
        return (1 - eta) * self.quiet + eta * self.noisy


@dataclass(frozen=True, eq=False)
class Likelihood:
    """The fitted likelihood."""

    temperature: Float[Tensor, " m"]
    weights: Float[Tensor, " m"]
    eta: float

    def blend(self, log_p: Float[Tensor, "m n k"]) -> Float[Tensor, "n k"]:
        """Probability of the true class of rows."""
        return blend(log_p.to(self.weights), self.temperature, self.weights)


def fit_likelihood(
    log_p: Float[Tensor, "m n k"], labels: Int[Tensor, " n"], belief: Belief, prior: Prior = PRIOR
) -> Likelihood:
    """The most probable temperatures, weights and eta, given what candidates said of hidden labels.

    Fitted twice: first with the weights expected of quiet labels, then with those expected at the eta found.
    """
    log_p = log_p.double()
    first = _best(log_p, labels, belief.quiet.double(), prior)
    return _best(log_p, labels, belief.at(first.eta).double(), prior)


def without_hidden_labels(belief: Belief) -> Likelihood:
    """What is believed where no label can be hidden."""
    weights = belief.quiet.double()
    return Likelihood(torch.ones_like(weights), weights, LEAST_NOISE)


def objective(
    log_p: Float[Tensor, "m n k"],
    labels: Int[Tensor, " n"],
    expected: Float[Tensor, " m"],
    parameters: tuple[Float[Tensor, " m"], Float[Tensor, " m"], Float[Tensor, ""]],
    prior: Prior,
) -> Float[Tensor, ""]:
    """Negative log posterior of log T, log w and eta, with the expected weights v.

    -sum_i log P(y_i | x_i) + a sum_m (log T_m)^2 + b eta - c sum_m v_m log w_m
    """
    log_t, log_w, eta = parameters
    b = blend(log_p, log_t.exp(), log_w.exp())
    fit = -label_likelihood(b, labels, eta).log().sum()
    of_prior = prior.temperature * log_t.square().sum() + prior.noise * eta
    return fit + of_prior - prior.weights * (expected * log_w).sum()


def _best(
    log_p: Float[Tensor, "m n k"], labels: Int[Tensor, " n"], expected: Float[Tensor, " m"], prior: Prior
) -> Likelihood:
    fits = [_fit(log_p, labels, expected, prior, eta) for eta in _STARTS]
    return min(fits, key=lambda fit: fit[0])[1]


def _fit(
    log_p: Float[Tensor, "m n k"],
    labels: Int[Tensor, " n"],
    expected: Float[Tensor, " m"],
    prior: Prior,
    eta: float,
) -> tuple[float, Likelihood]:
    """Where the descent from this eta ends, and the objective there."""
    log_t, score = log_p.new_zeros(len(log_p)), log_p.new_zeros(len(log_p))
    odds = torch.tensor((eta - LEAST_NOISE) / (1 - LEAST_NOISE), dtype=log_p.dtype).logit()
    parameters = [log_t.requires_grad_(), score.requires_grad_(), odds.requires_grad_()]
    optimizer = torch.optim.LBFGS(parameters, max_iter=200, line_search_fn="strong_wolfe")

    def value() -> Tensor:
        optimizer.zero_grad()
        at = log_t, score.log_softmax(dim=0), LEAST_NOISE + (1 - LEAST_NOISE) * odds.sigmoid()
        found = objective(log_p, labels, expected, at, prior)
        found.backward()
        return found

    with torch.enable_grad():
        optimizer.step(value)
        reached = value().item()
    temperature, weights = log_t.detach().exp(), score.detach().softmax(dim=0)
    found = LEAST_NOISE + (1 - LEAST_NOISE) * odds.detach().sigmoid().item()
    return reached, Likelihood(temperature, weights, found)
