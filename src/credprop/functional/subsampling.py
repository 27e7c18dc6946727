"""Algorithm 3: how many of the weakest pseudo-labels to reset, and resetting them."""

import math

import torch
from jaxtyping import Float
from torch import Tensor


def choose_p(
    q: Float[Tensor, "n k"], ranking: Float[Tensor, " n"], p_last: int = 100, d_max: float = 0.01
) -> int:
    """Largest percentage that can be reset with the class distribution still close to what it was.

        d_p = sum_k P_k log2(P_k / Q_k) < d_max,    p in {0, ..., p_last - 1}

    with `p_last` the percentage of the iteration before, Q the class distribution of all of `q` and P that
    of what a reset of the p % lowest in `ranking` leaves. A candidate that leaves nothing does not count;
    with a `d_max` of 0 nothing is reset.

    Examples
    --------
    Resetting 50 % of two rows leaves only one class, which diverges by 1 bit from the two equal ones.

    >>> q, confidence = torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.tensor([0.9, 0.6])
    >>> [choose_p(q, confidence, d_max=d_max) for d_max in (0.0, 0.01, 2.0)]
    [0, 49, 99]
    """
    n = len(q)
    if d_max <= 0 or p_last <= 1 or not n:
        return 0
    from_strongest = ranking.argsort(stable=True).flip(0)
    mass = q[from_strongest].cumsum(dim=0, dtype=torch.float64).flip(0)  # (n, k): of row i and all above it
    p = torch.arange(p_last, device=q.device)
    mass = mass[p * n // 100]  # (p_last, k): what a reset of p % leaves
    left = mass.sum(dim=1)

    allowed = p[(divergence(mass, mass[0]) < d_max) & (left > 0)]
    return int(allowed.max()) if len(allowed) else 0


def divergence(mass: Float[Tensor, "*b k"], anchor: Float[Tensor, " k"]) -> Float[Tensor, "*b"]:
    """KL divergence in bits of class distributions from an `anchor`, each given by its `mass` per class.

        d = sum_k P_k log2(P_k / Q_k),    P = mass / sum_k mass_k,  Q = anchor / sum_k anchor_k

    Examples
    --------
    >>> divergence(torch.tensor([[4.0, 0.0], [3.0, 3.0]]), torch.tensor([1.0, 1.0]))
    tensor([1., 0.])
    """
    p, q = (m / m.sum(dim=-1, keepdim=True).clamp(min=torch.finfo(m.dtype).tiny) for m in (mass, anchor))
    return (p.xlogy(p) - p.xlogy(q)).sum(dim=-1) / math.log(2)


def subsample(q: Float[Tensor, "n k"], ranking: Float[Tensor, " n"], p: int) -> Float[Tensor, "n k"]:
    """`q` with the floor(`p` n / 100) rows lowest in `ranking` reset to zero; ties in input order.

    Examples
    --------
    >>> subsample(torch.tensor([[1.0, 0.0], [0.0, 0.5]]), torch.tensor([0.9, 0.6]), p=50)
    tensor([[1., 0.],
            [0., 0.]])
    """
    weakest = ranking.argsort(stable=True)[: p * len(q) // 100]
    return q.index_fill(0, weakest, 0)
