"""What the given labels alone say of every row, and how far to heed it."""

import torch
from jaxtyping import Float
from torch import Tensor

from credprop.functional.credibility import adjust, strength
from credprop.functional.precision import at_least_float32

RIDGES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def ridge_inverse(similarity: Float[Tensor, "g g"], y: Float[Tensor, "g k"]) -> Float[Tensor, "g g"]:
    """What turns labels into coefficients of a ridge regression on similarities to the rows that have them.

        G = (phi + lambda I)^-1,    scores of rows with similarities phi' to these: phi' G y

    with the labels y as one-hot rows. Angular similarity is a kernel, that of steps along random directions
    (Cho and Saul 2009). Lambda is the one of RIDGES whose scores of labels left out come closest to these.
    """
    spectrum, vectors = torch.linalg.eigh(similarity.double())
    inverses = [(vectors / (spectrum.clamp(min=0) + ridge)) @ vectors.T for ridge in RIDGES]
    missed = [(left_out_scores(inverse, y.double()) - y).square().sum() for inverse in inverses]
    best: Tensor = inverses[int(torch.stack(missed).argmin())]
    return best.to(similarity.dtype)


def left_out_scores(inverse: Float[Tensor, "g g"], y: Float[Tensor, "g k"]) -> Float[Tensor, "g k"]:
    """Scores of each labeled row by a regression that does not know its label; nothing is solved again.

    y_i - (G y)_i / G_ii,    with G from `ridge_inverse`
    """
    return y - (inverse @ y) / inverse.diagonal()[:, None]


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


def mix(q: Float[Tensor, "n k"], other: Float[Tensor, "n k"], kappa: float) -> Float[Tensor, "n k"]:
    """Vectors between these and a second opinion, closer to that the less they agree (`agreement`).

        clip(adjust((1 - w) q_i + w r o_i)),    w = 1 - kappa^2, but 1/2 at least and 2/3 at most

    where r makes the opinions o as strong as the vectors on average. An opinion that names no row changes
    nothing.
    """
    q, other = at_least_float32(q, other)
    loudness = strength(other).mean()
    if not loudness > 0:
        return q
    w = min(max(1 / 2, 1 - kappa**2), 2 / 3)
    return adjust((1 - w) * q + w * other * (strength(q).mean() / loudness)).clamp(0, 1)
