"""A mixture of Gaussian classes over labeled and unlabeled rows together."""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import normalize, one_hot

_CHUNK = 2048  # rows compared at once with all others


def transductive_mixture(
    x: Float[Tensor, "n d"],
    labels: Int[Tensor, " n"],
    log_prior: Float[Tensor, "n k"],
    *,
    neighbors: int = 10,
    gaussian: float = 0.3,
    rounds: int = 10,
) -> Float[Tensor, "n k"]:
    """Probability of each class for every row, from Gaussian classes, nearest neighbors and a prior.

        z_ik ~ prior_ik exp(c log N(x_i; mu_k, diag) + sum_j phi_ij z_jk),    j of the nearest neighbors of i

    on rows centered and scaled to length one, with class means mu_k and one diagonal of variances for all,
    estimated from the z of the round before. Labeled rows keep their label. No balance of classes is
    assumed. `gaussian` is c, below one because features are not independent. After Zanella et al. 2024
    (TransCLIP).
    """
    k = log_prior.shape[1]
    f = normalize(x - x.mean(dim=0), dim=1)
    similarity, nearest = nearest_neighbors(f, min(neighbors, len(f) - 1))
    given = (labels >= 0).nonzero()[:, 0]
    known = one_hot(labels[given], k).to(f)
    z = log_prior.exp().index_copy(0, given, known)
    for _ in range(rounds):
        heard = torch.stack([(similarity * z[:, c][nearest]).sum(dim=1) for c in range(k)], dim=1)
        score = log_prior + gaussian * _log_gaussian(f, z) + heard
        z = score.softmax(dim=1).index_copy(0, given, known)
    return z


def _log_gaussian(f: Float[Tensor, "n d"], z: Float[Tensor, "n k"]) -> Float[Tensor, "n k"]:
    """Log density of every row in every class, up to a constant of the row; one diagonal for all classes."""
    mass = z.sum(dim=0)
    mean = (z.T @ f) / mass.clamp(min=1e-9)[:, None]
    variance = (f.square().sum(dim=0) - mass @ mean.square()) / len(f)
    precision = 1 / variance.clamp(min=1e-6)
    return (f * precision) @ mean.T - mean.square() @ precision / 2


def nearest_neighbors(f: Float[Tensor, "n d"], count: int) -> tuple[Float[Tensor, "n m"], Int[Tensor, "n m"]]:
    """Cosine, no less than 0, and index of the nearest other rows of each row; rows have length one."""
    similarity, nearest = [], []
    for index in torch.arange(len(f)).split(_CHUNK):
        cosine = f[index] @ f.T
        cosine[torch.arange(len(index)), index] = -2  # a row is no neighbor of itself
        best = cosine.topk(count, dim=1)
        similarity.append(best.values.clamp(min=0))
        nearest.append(best.indices)
    return torch.cat(similarity), torch.cat(nearest)
