"""What the given labels alone say of every row, and how far to heed it beside refined vectors."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.credibility import adjust, strength
from credprop.functional.precision import at_least_float32

RIDGES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def regress(similarity: Float[Tensor, "g g"], labels: Int[Tensor, " g"], k: int) -> Float[Tensor, "g k"]:
    """Coefficients that make scores of classes from similarities to labeled rows: phi c (ridge regression).

        c = (phi + lambda I)^-1 Y

    with the labels Y as one-hot rows. Angular similarity is a kernel, that of steps along random directions
    (Cho and Saul 2009). Lambda is the one of RIDGES whose scores of a label left out come closest to it: they
    miss it by c_i / [(phi + lambda I)^-1]_ii, so nothing is solved again for that.
    """
    y = torch.nn.functional.one_hot(labels, k).double()
    spectrum, vectors = torch.linalg.eigh(similarity.double())
    inverses = [1 / (spectrum.clamp(min=0) + ridge) for ridge in RIDGES]
    solved = [vectors @ (inverse[:, None] * (vectors.T @ y)) for inverse in inverses]  # (g, k) each
    missed = [c / (vectors.square() @ i)[:, None] for c, i in zip(solved, inverses, strict=True)]
    best = int(torch.stack([miss.square().sum() for miss in missed]).argmin())
    c: Tensor = solved[best]
    return c.to(similarity.dtype)


def agreement(q: Float[Tensor, "n k"], other: Float[Tensor, "n k"]) -> float:
    """How far two vectors a row name the same classes: 1 always, 0 as often as by chance or less.

        kappa = (p - e) / (1 - e)    (Cohen 1960)

    with the share p of rows on which they agree, and e that of two who name classes as often but at random.
    Rows for which either names none are left out; 1 where all others are of one class to both.
    """
    named = (strength(q) > 0) & (strength(other) > 0)
    first, second = q[named].argmax(dim=1), other[named].argmax(dim=1)
    n, k = len(first), q.shape[1]
    if not n:
        return 0.0
    p = (first == second).double().mean().item()
    e = torch.bincount(first, minlength=k).double() @ torch.bincount(second, minlength=k).double() / n**2
    return max(0.0, (p - e.item()) / (1 - e.item())) if e < 1 else 1.0


def heed(q: Float[Tensor, "n k"], other: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Vectors between these and a second opinion, closer to that the less they agree.

        clip(adjust((1 - w) q_i + w r o_i)),    w = max(1/2, 1 - kappa^2)

    where r makes the opinions o as strong as the vectors on average. An opinion that names no row changes
    nothing.
    """
    q, other = at_least_float32(q, other)
    loudness = strength(other).mean()
    if not loudness > 0:
        return q
    w = max(0.5, 1 - agreement(q, other) ** 2)
    return adjust((1 - w) * q + w * other * (strength(q).mean() / loudness)).clamp(0, 1)
