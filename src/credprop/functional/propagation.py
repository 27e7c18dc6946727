"""Algorithm 2: credibility of a sample from the samples around it."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.credibility import adjust, single_class
from credprop.functional.precision import at_least_float32


def propagate(similarity: Float[Tensor, "n n"], q: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Credibility that the other rows give to each row, Algorithm 2: adjusted class similarities.

        propagate(phi, q)_j = adjust(psi_j)

    with psi from `class_similarity` of the `similarity` and the credibility `q`. Only the row itself is left
    out: in a batch of two views the sample's other view has its say.

    Examples
    --------
    >>> similarity = torch.tensor([[1.0, 0.25, 0.75], [0.25, 1.0, 0.5], [0.75, 0.5, 1.0]])
    >>> q = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    >>> propagate(similarity, q)[2]  # 0.75 to the first class, 0.5 to the second
    tensor([ 0.2500, -0.2500])
    """
    return adjust(class_similarity(similarity, q))


def class_similarity(similarity: Float[Tensor, "n n"], q: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Credibility-weighted mean similarity psi of each row to each class, over the other rows.

        psi_jk = sum_i phi_ji q_ik / sum_i q_ik,    i != j

    with phi the `similarity` and `q` the credibility. Zero for a class that no other row supports.

    Examples
    --------
    >>> similarity = torch.tensor([[1.0, 0.25, 0.75], [0.25, 1.0, 0.5], [0.75, 0.5, 1.0]])
    >>> q = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    >>> class_similarity(similarity, q)
    tensor([[0.0000, 0.2500],
            [0.2500, 0.0000],
            [0.7500, 0.5000]])
    """
    phi, q = at_least_float32(similarity, q.clamp(0, 1))
    return _quotient(*_sums(phi, q, torch.arange(len(q), device=q.device)))


def class_similarity_of_views(
    similarity: Float[Tensor, "two_n two_n"], q: Float[Tensor, "n k"], rows: Int[Tensor, " r"]
) -> tuple[Float[Tensor, "two_n k"], Float[Tensor, "r k"]]:
    """Class similarity of each view, and the opinion of the other samples about some views.

    The two views of a sample share its `q`, so their columns of `similarity` are added first. The opinion,
    about the views `rows`, leaves out the sample's other view as well: it is free of the sample's own label,
    so it can judge that label; it never enters training.

    Examples
    --------
    Two samples of one class each, whose views have similarity 1 within a sample and 1/2 across.

    >>> similarity = torch.tensor([[1, 0.5], [0.5, 1]]).tile(2, 2)
    >>> q, rows = torch.eye(2), torch.tensor([0])
    >>> psi, opinion = class_similarity_of_views(similarity, q, rows)
    >>> psi[0], opinion[0]  # nothing but its own other view supports the class of sample 0
    (tensor([1.0000, 0.5000]), tensor([0.0000, 0.5000]))
    """
    phi, q = at_least_float32(similarity, q.clamp(0, 1))
    n, view = len(q), torch.arange(len(phi), device=q.device)
    total, support = _sums(phi[:, :n] + phi[:, n:], q, view % n)
    support = 2 * support
    apart = _quotient(total[rows], support[rows])
    # The other view is put back by adding its part: taking it out of the sums would cancel digits.
    other = phi.gather(1, view.roll(n)[:, None])  # (2n, 1)
    own = torch.cat([q, q])
    return _quotient(total.addcmul_(other, own), support.add_(own)), apart


def mean_of_views(v: Float[Tensor, "two_n k"]) -> Float[Tensor, "n k"]:
    """Mean of `v` over the two views of each sample, the last line of Algorithm 2.

    Examples
    --------
    >>> v = torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.5, 0.0], [0.0, 1.0]])  # samples 0, 1, 0, 1
    >>> mean_of_views(v)
    tensor([[0.7500, 0.0000],
            [0.0000, 0.5000]])
    """
    first, second = v.chunk(2)
    return (first + second) / 2


def _quotient(total: Float[Tensor, "r k"], support: Float[Tensor, "r k"]) -> Float[Tensor, "r k"]:
    """Mean similarity, zero where there is no support."""
    return total / support.where(support > 0, 1)


def _sums(
    phi: Float[Tensor, "m n"], q: Float[Tensor, "n k"], own: Int[Tensor, " m"]
) -> tuple[Float[Tensor, "m k"], Float[Tensor, "m k"]]:
    """Similarity and credibility summed over the columns of each class, without the row's `own` column."""
    single = single_class(q)
    return _dense_sums(phi, q, own) if single is None else _class_sums(phi, q, *single, own)


def _dense_sums(
    phi: Float[Tensor, "m n"], q: Float[Tensor, "n k"], own: Int[Tensor, " m"]
) -> tuple[Float[Tensor, "m k"], Float[Tensor, "m k"]]:
    """The sums of any credibility vectors, as matrix products."""
    with torch.autocast(q.device.type, enabled=False):
        total = phi.scatter(1, own[:, None], 0) @ q
    wide = _widest(q)
    return total, (wide.sum(dim=0) - wide[own]).to(q.dtype)


def _class_sums(
    phi: Float[Tensor, "m n"],
    q: Float[Tensor, "n k"],
    c: Int[Tensor, " n"],
    s: Float[Tensor, " n"],
    own: Int[Tensor, " m"],
) -> tuple[Float[Tensor, "m k"], Float[Tensor, "m k"]]:
    """The same sums where every column has one class: it goes to that class alone."""
    total = q.new_zeros(len(phi), q.shape[1]).index_add_(1, c, (phi * s).scatter_(1, own[:, None], 0))
    wide = _widest(s)
    of_class = wide.new_zeros(q.shape[1]).index_add_(0, c, wide)  # (k,)
    mine = c[own]  # (m,): the row's own class
    others = of_class[mine] - wide[own]
    return total, of_class.to(q.dtype).expand_as(total).scatter(1, mine[:, None], others.to(q.dtype)[:, None])


def _widest(v: Float[Tensor, "n ..."]) -> Float[Tensor, "n ..."]:
    """The same in double precision, where the device has it (MPS has not).

    Taking a strong sample's part out of a sum in single precision leaves nothing but the rounding
    errors of the weak ones.
    """
    return v if v.device.type == "mps" else v.double()
