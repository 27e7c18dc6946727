"""Credibility vectors: first values, adjustment, strength."""

import torch
from jaxtyping import Float, Int
from torch import Tensor


def initial_credibility(
    labels: Int[Tensor, " n"], k: int, guesses: Float[Tensor, "n k"] | None = None
) -> Float[Tensor, "n k"]:
    """First credibility of every sample: one-hot where labeled, else the guess, else zero.

    `labels` are codes of the `k` classes, -1 where unlabeled. `guesses`, scores from anywhere, are adjusted
    and clipped, so that a guess torn between two classes counts for nothing.

    Examples
    --------
    >>> guesses = torch.tensor([[0.0, 0.0], [0.5, 0.5], [0.25, 1.0]])
    >>> initial_credibility(torch.tensor([0, -1, -1]), k=2, guesses=guesses)
    tensor([[1.0000, 0.0000],
            [0.0000, 0.0000],
            [0.0000, 0.7500]])
    """
    given = labels >= 0  # (n,)
    dtype = torch.get_default_dtype() if guesses is None else guesses.dtype
    one_hot = torch.nn.functional.one_hot(labels.clamp(min=0).long(), k).to(dtype)
    unknown = torch.zeros_like(one_hot) if guesses is None else adjust(guesses).clamp(0, 1)
    return one_hot.where(given[:, None], unknown)


def adjust(v: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Credibility adjustment: each score of `v` minus the best score of the other classes.

        adjust(v)_k = v_k - max_{k' != k} v_k'

    Two classes tied for the best leave every class at zero or below. A class without
    another one to compare it with has no bound: there must be two or more.

    Examples
    --------
    >>> adjust(torch.tensor([[1.0, 0.75, 0.0], [0.5, 0.5, 0.0]]))
    tensor([[ 0.2500, -0.2500, -1.0000],
            [ 0.0000,  0.0000, -0.5000]])
    """
    best, winner = v.max(dim=1, keepdim=True)
    second = v.scatter(1, winner, -torch.inf).amax(dim=1, keepdim=True)
    return (v - best).scatter(1, winner, best - second)


def strength(q: Float[Tensor, "n k"]) -> Float[Tensor, " n"]:
    """Strength omega of every sample: the largest entry of its clipped credibility vector in `q`.

        omega_i = max_k min(max(q_ik, 0), 1)

    Examples
    --------
    >>> strength(torch.tensor([[0.75, -0.75], [0.0, 0.0]]))
    tensor([0.7500, 0.0000])
    """
    return q.amax(dim=1).clamp(0, 1)


def single_class(q: Float[Tensor, "n k"]) -> tuple[Int[Tensor, " n"], Float[Tensor, " n"]] | None:
    """Class and strength of every clipped vector of `q`, or None if one of them supports two classes.

    An adjusted and clipped vector has at most one positive entry, so these two numbers say it all,
    and sums over classes need no product that grows with their number. The class of a vector of zeros
    means nothing; its strength is zero.

    Examples
    --------
    >>> classes, strengths = single_class(torch.tensor([[0.0, 0.5], [1.0, 0.0]]))
    >>> classes, strengths
    (tensor([1, 0]), tensor([0.5000, 1.0000]))
    >>> single_class(torch.tensor([[0.5, 0.5]])) is None
    True
    """
    if ((q > 0).sum(dim=1) > 1).any():
        return None
    s, c = q.max(dim=1)
    return c, s.clamp(0, 1)
