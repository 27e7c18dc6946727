"""Algorithm 2: credibility of a sample from the samples around it."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.credibility import adjust, single_class
from credprop.functional.precision import at_least_float32


def propagate(similarity: Float[Tensor, "n n"], q: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Credibility that the other rows give to each row, Algorithm 2: adjusted class similarities.

    Only the row itself is left out: in a batch of two views the sample's other view has its say.
    """
    return adjust(_class_similarity(similarity, q, views=1))


def opinion(similarity: Float[Tensor, "n n"], q: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Credibility that the other samples give to each row: `propagate` without the sample's other view.

    The batch holds two views, with the same `q` in both. What comes back is free of the sample's own
    label, so it can judge that label; it never enters training.
    """
    return adjust(_class_similarity(similarity, q, views=2))


def mean_of_views(v: Float[Tensor, "two_n k"]) -> Float[Tensor, "n k"]:
    """Mean over the two views of each sample, the last line of Algorithm 2."""
    first, second = v.chunk(2)
    return (first + second) / 2


def _class_similarity(
    similarity: Float[Tensor, "n n"], q: Float[Tensor, "n k"], views: int
) -> Float[Tensor, "n k"]:
    """Credibility-weighted mean similarity psi of each row to each class, over the rows of other samples.

        psi_jk = sum_i phi_ji q_ik / sum_i q_ik,    i no view of j's sample

    Zero for a class that nobody else supports.
    """
    phi, q = at_least_float32(similarity, q.clamp(0, 1))
    single = single_class(q)
    total, support = _dense_sums(phi, q, views) if single is None else _class_sums(phi, q, *single, views)
    return total / support.where(support > 0, 1)


def _dense_sums(
    phi: Float[Tensor, "n n"], q: Float[Tensor, "n k"], views: int
) -> tuple[Float[Tensor, "n k"], Float[Tensor, "n k"]]:
    """Similarity and credibility summed over the other samples, for each class: as matrix products."""
    with torch.autocast(q.device.type, enabled=False):
        total = _drop_own(phi.clone(), views) @ q
    wide = _widest(q)
    return total, (wide.sum(dim=0) - _sum_of_views(wide, views)).to(q.dtype)


def _class_sums(
    phi: Float[Tensor, "n n"],
    q: Float[Tensor, "n k"],
    c: Int[Tensor, " n"],
    s: Float[Tensor, " n"],
    views: int,
) -> tuple[Float[Tensor, "n k"], Float[Tensor, "n k"]]:
    """The sums of `_dense_sums` where every row has one class: each column goes to its class alone."""
    total = torch.zeros_like(q).index_add_(1, c, _drop_own(phi * s, views))
    wide = _widest(s)
    of_class = wide.new_zeros(q.shape[1]).index_add_(0, c, wide)  # (k,)
    others = of_class[c] - _sum_of_views(wide, views)  # (n,): for the row's own class
    return total, of_class.to(q.dtype).expand_as(q).scatter(1, c[:, None], others.to(q.dtype)[:, None])


def _drop_own(weights: Float[Tensor, "n n"], views: int) -> Float[Tensor, "n n"]:
    """The weights, changed in place: zero between the views of one sample."""
    samples = len(weights) // views
    weights.view(views, samples, views, samples).diagonal(dim1=1, dim2=3).zero_()
    return weights


def _sum_of_views(v: Float[Tensor, "n ..."], views: int) -> Float[Tensor, "n ..."]:
    """What the views of a sample hold together, in the row of each."""
    return torch.cat([v.view(views, -1, *v.shape[1:]).sum(dim=0)] * views)


def _widest(v: Float[Tensor, "n ..."]) -> Float[Tensor, "n ..."]:
    """The same in double precision, where the device has it (MPS has not).

    Taking a strong sample's part out of a sum in single precision leaves nothing but the rounding
    errors of the weak ones.
    """
    return v if v.device.type == "mps" else v.double()
