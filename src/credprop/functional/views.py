"""The body of Algorithm 1 on two views of each sample, in as few passes over (2n, 2n) as it takes."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.credibility import single_class
from credprop.functional.losses import soft_contrastive_loss, weighed_terms
from credprop.functional.precision import at_least_float32
from credprop.functional.propagation import class_similarity_of_views
from credprop.functional.similarity import angular_similarity, similarity_and_slope, unit_rows


def contrast_views(
    z: Float[Tensor, "two_n d"], q: Float[Tensor, "n k"], rows: Int[Tensor, " r"], *, temperature: float = 0.1
) -> tuple[Float[Tensor, ""], Float[Tensor, "two_n k"], Float[Tensor, "r k"]]:
    """The mean of L_SSC over the batch, and what `class_similarity_of_views` gives, from one similarity.

    A vector of one class matches the rows of that class, each by its strength: its mean similarity to its
    matches *is* its class similarity psi to the class c_i,

        l_i = s_i (log sum_l s_l exp(phi_il / t) - psi_i(c_i) / t),    l != i

    with `z` the embeddings, `q` the credibility, t the `temperature`, and an opinion about the views `rows`.
    The other losses leave the mean to the caller; here it is taken, for it is of the mean that the gradient
    is known in closed form down to the embeddings.

    Examples
    --------
    Two samples of one class each, at right angles: phi is 1 to the other view and 1/2 to the rest. With
    t = 1/2 every view has the loss log(1 + 2 exp(-1)).

    >>> z = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    >>> q, rows = torch.eye(2), torch.tensor([0])
    >>> loss, psi, opinion = contrast_views(z, q, rows, temperature=0.5)
    >>> loss, psi[0], opinion[0]
    (tensor(0.5514), tensor([1.0000, 0.5000]), tensor([0.0000, 0.5000]))
    """
    z, q = at_least_float32(z, q.clamp(0, 1))
    single = single_class(q)
    if single is None:
        similarity = angular_similarity(z)
        loss = soft_contrastive_loss(similarity, torch.cat([q, q]), temperature=temperature).mean()
        return loss, *class_similarity_of_views(similarity.detach(), q, rows)
    unit = unit_rows(z)
    fixed = unit.detach()
    with torch.autocast(z.device.type, enabled=False):
        phi, slope_of_phi = similarity_and_slope(fixed @ fixed.T)
        heard, opinion = class_similarity_of_views(phi, q, rows)
        value, slope = _loss_and_slope(phi, heard, *single, temperature)
        # Rows a power of two apart share a few lines of the cache; a little further apart, the transpose
        # is read five times as fast.
        apart = slope.new_empty(len(z), len(z) + 16)[:, : len(z)]
        slope = torch.mul(slope, slope_of_phi, out=apart)  # along the cosine, in which both rows have a part
        gradient = (slope + slope.T) @ fixed / len(z)
    line = (gradient * unit).sum()
    return value.mean() + (line - line.detach()), heard, opinion


def _loss_and_slope(
    phi: Float[Tensor, "two_n two_n"],
    heard: Float[Tensor, "two_n k"],
    c: Int[Tensor, " n"],
    s: Float[Tensor, " n"],
    temperature: float,
) -> tuple[Float[Tensor, " two_n"], Float[Tensor, "two_n two_n"]]:
    """Loss of every view, and its slope along phi: s_i (s_j p_ij - m_ij / sum_j m_ij) / t, zero on itself."""
    n = len(s)
    of_views = torch.cat([s, s])  # (2n,)
    p, norm, top = weighed_terms(phi, of_views, temperature)
    value = of_views * (top + norm.log() - heard.gather(1, torch.cat([c, c])[:, None])[:, 0] / temperature)

    c = c.int()  # compares twice as fast as int64
    match = s.where(c[:, None] == c, 0)  # (n, n): of each of the two views of j, divided by s_i
    matches = 2 * match.sum(dim=1) - s  # (n,): a view does not match itself
    share = match.mul_((s / (temperature * matches.where(matches > 0, 1)))[:, None])
    slope = p.mul_((of_views / (temperature * norm))[:, None])
    slope.view(2, n, 2, n).sub_(share[:, None])
    return value, slope.fill_diagonal_(0)
