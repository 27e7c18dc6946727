"""How many of the rows that are to be trusted can be expected to be right."""

from jaxtyping import Float, Int
from torch import Tensor

_BELIEF = 10.0  # hidden labels that the confidence itself is worth


def share_right(
    confidence: Float[Tensor, " r"],
    b: Float[Tensor, "h k"],
    labels: Int[Tensor, " h"],
    eta: float,
    threshold: float,
) -> tuple[float, float, float]:
    """Expected share of rows with this confidence that are right, and its 95 % interval.

    The mean confidence is worth ten rows; the rest is said by the hidden rows whose blend b reaches the
    threshold. There a label that agrees may be wrong as well, and one that does not may be:

        P(agrees) = p (1 - eta) + eta / K
    """
    from scipy import stats

    sure = b.amax(dim=1) >= threshold
    agree = (b.argmax(dim=1) == labels)[sure].double()
    right, worth = _from_agreement(float(agree.sum()), len(agree), eta, b.shape[1])
    expected = float(confidence.double().mean()) if len(confidence) else threshold
    wins = _BELIEF * expected + worth * right
    posterior = stats.beta(wins, max(_BELIEF + worth - wins, 1e-3))
    return float(posterior.mean()), float(posterior.ppf(0.025)), float(posterior.ppf(0.975))


def _from_agreement(agree: float, n: int, eta: float, k: int) -> tuple[float, float]:
    """The share of n rows that are right, and how many rows with a sure label would tell as much.

    The share p is a line in the share a that agrees, so var p = a (1 - a) / (n (1 - eta)^2), as much as of
    p (1 - p) / var p rows.
    """
    if not n:
        return 0.0, 0.0
    a = (agree + 0.5) / (n + 1)
    p = min(max((a - eta / k) / max(1 - eta, 1e-9), 0.5 / n), 1 - 0.5 / n)
    return p, min(float(n), p * (1 - p) * n * (1 - eta) ** 2 / (a * (1 - a)))
