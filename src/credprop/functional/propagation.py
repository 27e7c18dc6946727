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
    return adjust(class_similarity(similarity, q))


def class_similarity(similarity: Float[Tensor, "n n"], q: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Credibility-weighted mean similarity psi of each row to each class, over the other rows.

        psi_jk = sum_i phi_ji q_ik / sum_i q_ik,    i != j

    Zero for a class that no other row supports.
    """
    return _class_similarity(similarity, q, torch.arange(len(q), device=q.device)[:, None])


def opinion(
    similarity: Float[Tensor, "n n"], q: Float[Tensor, "n k"], rows: Int[Tensor, " r"]
) -> Float[Tensor, "r k"]:
    """Credibility that the other samples give to some rows: `propagate` without the sample's other view.

    The batch holds two views, with the same `q` in both. What comes back is free of the sample's own
    label, so it can judge that label; it never enters training.
    """
    n = len(q)
    views = torch.stack([rows, (rows + n // 2) % n], dim=1)  # (r, 2)
    return adjust(_class_similarity(similarity[rows], q, views))


def mean_of_views(v: Float[Tensor, "two_n k"]) -> Float[Tensor, "n k"]:
    """Mean over the two views of each sample, the last line of Algorithm 2."""
    first, second = v.chunk(2)
    return (first + second) / 2


def _class_similarity(
    similarity: Float[Tensor, "r n"], q: Float[Tensor, "n k"], own: Int[Tensor, "r v"]
) -> Float[Tensor, "r k"]:
    """Class similarity of some rows; each leaves out the columns in its row of `own`, which share one q."""
    phi, q = at_least_float32(similarity, q.clamp(0, 1))
    single = single_class(q)
    sums = _dense_sums(phi, q, own) if single is None else _class_sums(phi, q, *single, own)
    total, support = sums
    return total / support.where(support > 0, 1)


def _dense_sums(
    phi: Float[Tensor, "r n"], q: Float[Tensor, "n k"], own: Int[Tensor, "r v"]
) -> tuple[Float[Tensor, "r k"], Float[Tensor, "r k"]]:
    """Similarity and credibility summed over the columns of each class: as matrix products."""
    with torch.autocast(q.device.type, enabled=False):
        total = phi.scatter(1, own, 0) @ q
    wide = _widest(q)
    return total, (wide.sum(dim=0) - wide[own].sum(dim=1)).to(q.dtype)


def _class_sums(
    phi: Float[Tensor, "r n"],
    q: Float[Tensor, "n k"],
    c: Int[Tensor, " n"],
    s: Float[Tensor, " n"],
    own: Int[Tensor, "r v"],
) -> tuple[Float[Tensor, "r k"], Float[Tensor, "r k"]]:
    """The sums of `_dense_sums` where every column has one class: it goes to that class alone."""
    total = q.new_zeros(len(phi), q.shape[1]).index_add_(1, c, (phi * s).scatter_(1, own, 0))
    wide = _widest(s)
    of_class = wide.new_zeros(q.shape[1]).index_add_(0, c, wide)  # (k,)
    mine = c[own[:, :1]]  # (r, 1): the row's own class
    others = of_class[mine] - wide[own].sum(dim=1, keepdim=True)
    return total, of_class.to(q.dtype).expand_as(total).scatter(1, mine, others.to(q.dtype))


def _widest(v: Float[Tensor, "n ..."]) -> Float[Tensor, "n ..."]:
    """The same in double precision, where the device has it (MPS has not).

    Taking a strong sample's part out of a sum in single precision leaves nothing but the rounding
    errors of the weak ones.
    """
    return v if v.device.type == "mps" else v.double()
