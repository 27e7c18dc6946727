"""Algorithm 1 while nothing learns: credibility goes round until it settles on embeddings as they are."""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.functional.iteration import consolidate, ranking
from credprop.functional.precision import at_least_float32
from credprop.functional.propagation import propagate
from credprop.functional.subsampling import choose_p, subsample


def rounds_of_propagation(
    similarity: Float[Tensor, "n n"],
    q: Float[Tensor, "n k"],
    rows: Int[Tensor, " r"],
    *,
    rounds: int,
    d_max: float = 0.01,
    d_max_decay: float = 0.5,
) -> list[tuple[Float[Tensor, "n k"], Float[Tensor, "n k"], int, float]]:
    """Rounds of Algorithm 1 with the similarity as it is; only the given `rows` are propagated to.

    Of each round what every row hears in it, and the q, p_last and d_max it began with. A round is an
    iteration of one propagation among all rows at once: it ends (scaling, clipping, subsampling) as the next
    one begins, and the end of the last one is left to the caller.
    """
    heard, p_last = propagate(similarity, q), 100
    made = [(heard, q, p_last, d_max)]
    for _ in range(rounds - 1):
        mean = heard[rows]
        new = consolidate(mean)
        p_last = choose_p(new, ranking(mean), p_last=p_last, d_max=d_max)
        new = subsample(new, ranking(mean), p_last)
        q, d_max = q.index_copy(0, rows, new.to(q.dtype)), d_max * d_max_decay
        heard = propagate(similarity, q)
        made.append((heard, q, p_last, d_max))
    return made


def half_whitening(b: Float[Tensor, "n d"]) -> tuple[Float[Tensor, " d"], Float[Tensor, "d r"]]:
    """Mean and directions V that turn rows into components, each divided by the root of its deviation.

        (b - mean) V,    V_j = v_j / var_j^(1/4)

    with the principal directions v_j of the rows. Angles between such components are ruled neither by the few
    loudest directions nor by the many faint ones.
    """
    (b,) = at_least_float32(b)
    mean = b.mean(dim=0)
    centered = b - mean
    variance, directions = torch.linalg.eigh((centered.T @ centered).double() / len(b))
    there = variance > 1e-6 * variance[-1].clamp(min=torch.finfo(b.dtype).tiny)  # the rest is rounding
    return mean, (directions[:, there] / variance[there] ** 0.25).to(b.dtype)


def more_often_right(
    challenger: Bool[Tensor, " n"], champion: Bool[Tensor, " n"], errors: float = 1.0
) -> bool:
    """Whether one is right more often than another on the same rows, by more than so many standard errors.

    Rows on which both are right or both wrong say nothing; on the others wins minus losses has a deviation of
    the square root of their number if both are equally good (McNemar).
    """
    wins = int((challenger & ~champion).sum())
    losses = int((champion & ~challenger).sum())
    return wins - losses > errors * math.sqrt(wins + losses)
