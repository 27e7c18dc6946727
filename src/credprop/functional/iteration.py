"""The end of Algorithm 1: from what was stored over the epochs to the next credibility vectors."""

from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.credibility import adjust
from credprop.functional.subsampling import choose_p, subsample


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


def end_iteration(
    total: Float[Tensor, "n k"], count: Int[Tensor, " n"], *, p_last: int = 100, d_max: float = 0.01
) -> tuple[Float[Tensor, "n k"], Float[Tensor, "n k"], int]:
    """Credibility before and after subsampling, and the percentage that was reset.

    The rows are the samples that are propagated to; clamped ones are neither ranked nor counted.
    The classifier is built on the first, the next iteration starts from the second.
    """
    mean = mean_of_draws(total, count)
    q, confidence = consolidate(mean), ranking(mean)
    p = choose_p(q, confidence, p_last=p_last, d_max=d_max)
    return q, subsample(q, confidence, p), p
