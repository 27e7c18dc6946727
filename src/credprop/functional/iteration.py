"""The end of Algorithm 1: from what was stored over the epochs to the next credibility vectors."""

from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.credibility import adjust


def mean_of_draws(total: Float[Tensor, "n k"], count: Int[Tensor, " n"]) -> Float[Tensor, "n k"]:
    """Mean of all vectors stored for a sample, from their sum; a sample drawn twice counts twice."""
    return total / count.clamp(min=1)[:, None]


def consolidate(mean: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Averaged vectors scaled so that the strongest entry gamma is one, adjusted, clipped to [0, 1].

    Where no entry is positive there is nothing to scale by.
    """
    if not len(mean):
        return mean
    gamma = mean.max()
    return adjust(mean / gamma.where(gamma > 0, 1)).clamp(0, 1)


def ranking(mean: Float[Tensor, "n k"]) -> Float[Tensor, " n"]:
    """Confidence by which Algorithm 3 ranks: the largest averaged entry, neither scaled nor clipped."""
    return mean.amax(dim=1)
