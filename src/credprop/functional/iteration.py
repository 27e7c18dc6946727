"""The end of Algorithm 1: from what was stored over the epochs to the next credibility vectors."""

from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.credibility import adjust


def mean_of_draws(total: Float[Tensor, "n k"], count: Int[Tensor, " n"]) -> Float[Tensor, "n k"]:
    """Mean of all vectors stored for a sample over the epochs, Algorithm 1 line 14.

    `total` is their sum and `count` their number; a sample drawn twice counts twice.

    Examples
    --------
    >>> mean_of_draws(torch.tensor([[1.5, -1.5], [0.0, 0.0]]), torch.tensor([2, 0]))
    tensor([[ 0.7500, -0.7500],
            [ 0.0000,  0.0000]])
    """
    return total / count.clamp(min=1)[:, None]


def consolidate(mean: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Averaged vectors scaled so that the strongest entry is one, adjusted, clipped: Algorithm 1 lines 15-19.

        q = clip(adjust(mean / gamma), 0, 1),    gamma = max_ik mean_ik

    `mean` is what `mean_of_draws` gives. Where no entry is positive there is nothing to scale by.

    Examples
    --------
    >>> consolidate(torch.tensor([[0.5, 0.0], [0.125, 0.25]]))  # scaled: 1, 0 and 0.25, 0.5
    tensor([[1.0000, 0.0000],
            [0.0000, 0.2500]])
    """
    if not len(mean):
        return mean
    gamma = mean.max()
    return adjust(mean / gamma.where(gamma > 0, 1)).clamp(0, 1)


def ranking(mean: Float[Tensor, "n k"]) -> Float[Tensor, " n"]:
    """Confidence by which Algorithm 3 ranks: the largest entry of `mean`, neither scaled nor clipped.

    Examples
    --------
    >>> ranking(torch.tensor([[0.5, 0.0], [-0.25, -0.5]]))
    tensor([ 0.5000, -0.2500])
    """
    return mean.amax(dim=1)
