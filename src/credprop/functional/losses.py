"""The paper's losses, one value per sample: the caller takes the mean."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.functional.credibility import single_class, strength
from credprop.functional.precision import at_least_float32


def soft_contrastive_loss(
    similarity: Float[Tensor, "n n"], q: Float[Tensor, "n k"], *, temperature: float = 0.1
) -> Float[Tensor, " n"]:
    """Soft contrastive loss of every row, paper Eq. (1), L_SSC.

        l_i = -s_i * sum_j m_ij log p_ij / sum_j m_ij,        j != i
        p_ij = exp(phi_ij / t) / sum_l s_l exp(phi_il / t),   l != i

    with phi the `similarity`, t the `temperature`, matches m_ij = <q_i, q_j> and strengths s_i = max_k q_ik
    of the credibility `q`. A row that matches nothing has loss zero. The mean of the rows is L_SSC.

    Examples
    --------
    Rows 0 and 1 match. All similarities are equal, so p_01 = 1/2: the loss is log 2. Row 2 matches nothing.

    >>> q = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> soft_contrastive_loss(torch.ones(3, 3), q)
    tensor([0.6931, 0.6931, 0.0000])
    """
    similarity, q = at_least_float32(similarity, q.clamp(0, 1))
    single = single_class(q)
    match = _matches(q) if single is None else _matches_of_class(*single)
    return _contrast(similarity, match, strength(q), temperature)


def simclr_loss(similarity: Float[Tensor, "n n"], *, temperature: float = 0.1) -> Float[Tensor, " n"]:
    """SimCLR's loss (NT-Xent) of every view: L_SSC where each sample is a class of its own.

        l_i = -log(exp(phi_ij / t) / sum_l exp(phi_il / t)),    j the other view of i, l != i

    with phi the `similarity` and t the `temperature`. A row has one match, so none of the passes over (n, n)
    that L_SSC makes for its matches is needed.

    Examples
    --------
    Two views of two samples, all equally similar: each match is one of three, the loss log 3.

    >>> simclr_loss(torch.ones(4, 4))
    tensor([1.0986, 1.0986, 1.0986, 1.0986])
    """
    (similarity,) = at_least_float32(similarity)
    phi, n = similarity.detach(), len(similarity)
    row = torch.arange(n, device=phi.device)
    other = row.roll(n // 2)  # the other view of the same sample
    p, norm, top = weighed_terms(phi, phi.new_ones(n), temperature)
    steep = phi.new_full((n,), 1 / temperature)
    slope = p.mul_((steep / norm)[:, None])
    slope[row, other] -= steep
    return _with_slope(top + norm.log() - phi[row, other] / temperature, slope, similarity)


def soft_cross_entropy(logits: Float[Tensor, "n k"], q: Float[Tensor, "n k"]) -> Float[Tensor, " n"]:
    """Credibility-weighted cross-entropy of every row, paper Eq. (2), L_CLS.

        l_i = -sum_k q_ik log softmax(logits_i)_k

    with `q` the credibility. A row of zeros has loss zero. The mean of the rows is L_CLS.

    Examples
    --------
    Equal `logits` give both classes 1/2: the loss is log 2, times the credibility.

    >>> soft_cross_entropy(torch.zeros(2, 2), torch.tensor([[1.0, 0.0], [0.0, 0.5]]))
    tensor([0.6931, 0.3466])
    """
    logits, q = at_least_float32(logits, q.clamp(0, 1))
    return -(q * logits.log_softmax(dim=1)).sum(dim=1)


def _matches(q: Float[Tensor, "n k"]) -> Float[Tensor, "n n"]:
    """Matches m_ij = <q_i, q_j> of different rows."""
    with torch.autocast(q.device.type, enabled=False):
        return (q @ q.T).fill_diagonal_(0)


def _matches_of_class(c: Int[Tensor, " n"], s: Float[Tensor, " n"]) -> Float[Tensor, "n n"]:
    """Matches of rows with one class each, divided by the strength of the row: no product is needed."""
    c = c.int()  # compares twice as fast as int64
    return s.where(c[:, None] == c, 0).fill_diagonal_(0)


def _contrast(
    similarity: Float[Tensor, "n n"],
    match: Float[Tensor, "n n"],
    s: Float[Tensor, " n"],
    temperature: float,
) -> Float[Tensor, " n"]:
    """Loss of every row: s_i (log-normalizer - mean similarity to its matches).

    A factor of a row of the matches cancels. The loss of a row depends on that row of phi alone, with the
    slope s_i (s_j p_ij - m_ij / sum_j m_ij) / t. Stated here, it costs one pass over (n, n) on the way back;
    autograd would make eight.
    """
    phi = similarity.detach()
    matches = match.sum(dim=1)  # (n,)
    weight = s.where(matches > 0, 0)  # (n,): a row that matches nothing has no loss
    matches = matches.where(matches > 0, 1)
    matched = (match * phi).sum(dim=1) / (matches * temperature)

    p, norm, top = weighed_terms(phi, s, temperature)
    steep = (weight / temperature)[:, None]  # (n, 1)
    slope = p.mul_(steep / norm[:, None]).addcmul_(match, steep / matches[:, None], value=-1)
    return _with_slope(weight * (top + norm.log() - matched), slope, similarity)


def weighed_terms(
    phi: Float[Tensor, "n n"], s: Float[Tensor, " n"], temperature: float
) -> tuple[Float[Tensor, "n n"], Float[Tensor, " n"], Float[Tensor, " n"]]:
    """Terms s_l exp(phi_il / t) of the normalizers over e^top, their sums, and top: the largest is 1."""
    # Rows of strength zero stand in no normalizer: a floor under s would leak at low temperatures.
    nobody = torch.finfo(phi.dtype).min / 2
    log_s = s.where(s > 0, 1).log().where(s > 0, nobody)  # (n,): s_l of the columns
    scaled = torch.add(log_s, phi, alpha=1 / temperature).fill_diagonal_(nobody)  # (n, n)
    top = scaled.amax(dim=1, keepdim=True)
    # Terms this far below the largest are lost in rounding. Were they not made zero, subnormal numbers
    # would slow down every product that follows, up to tenfold.
    lost = torch.finfo(phi.dtype).eps ** 2
    p = scaled.sub_(top).clamp_(min=math.log(lost)).exp_()
    p = torch.nn.functional.threshold(p, 2 * lost, 0.0, inplace=True)
    return p, p.sum(dim=1), top[:, 0]


def _with_slope(
    value: Float[Tensor, " n"], slope: Float[Tensor, "n n"], similarity: Float[Tensor, "n n"]
) -> Float[Tensor, " n"]:
    """The value of every row, with a slope that is known: autograd need not find it."""
    line = (slope * similarity).sum(dim=1)
    return value + (line - line.detach())
