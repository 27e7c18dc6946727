"""CCLP: one compact cluster per class in latent space, by label propagation within each batch."""

from dataclasses import dataclass
from typing import Self

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import cross_entropy, one_hot

from credprop.data import PartlyLabeled
from credprop.methods.batch import Batch
from credprop.networks import Model

_SMOOTHING = 1e-5  # probability of a uniform jump, which keeps the graph connected
_FLOOR = 1e-6  # added before the logarithm, so that distant pairs of a class still have a gradient


@dataclass(frozen=True, eq=False, kw_only=True)
class CCLP:
    """Kamnitsas et al., Semi-Supervised Learning via Compact Latent Space Clustering, 2018.

    arXiv:1806.02679. The latent space is the input of the classifier's last layer.
    """

    weight: float = 1.0
    chain: int = 3  # steps of the longest Markov chain

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The authors' settings."""
        return cls()

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Supervised loss plus the clustering cost."""
        u = batch.u[: len(batch.x)]  # as many as labeled rows, as in the authors' code
        b = torch.cat(batch.together(model.encoder, batch.weak(batch.x), batch.weak(u)))
        latent = model.classifier[:-1](b)  # (n, d)
        logits = model.classifier[-1](latent[: len(batch.x)])
        y = one_hot(batch.y, logits.shape[1])
        cost = clustering_cost(transitions(latent.double()), y.double(), self.chain).mean()
        return {"supervised": cross_entropy(logits, batch.y), "clustering": self.weight * cost.float()}

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> None:
        """None: labels are propagated within a batch only."""


def transitions(latent: Float[Tensor, "n d"]) -> Float[Tensor, "n n"]:
    """Transition matrix H of a graph over the batch: softmax of dot products, smoothed."""
    h = (latent @ latent.T).softmax(dim=1)
    return _SMOOTHING / len(h) + (1 - _SMOOTHING) * h


def propagated(h: Float[Tensor, "n n"], y: Float[Tensor, "b k"]) -> Float[Tensor, "n k"]:
    """Class posteriors of all samples, the labeled ones first: label propagation in closed form.

    Phi_U = (I - H_UU)^-1 H_UL Y_L
    """
    b = len(y)
    h_uu, h_ul = h[b:, b:], h[b:, :b]
    identity = torch.eye(len(h_uu), dtype=h.dtype, device=h.device)
    return torch.cat([y, torch.linalg.solve(identity - h_uu, h_ul @ y)])


def clustering_cost(h: Float[Tensor, "n n"], y: Float[Tensor, "b k"], chain: int) -> Float[Tensor, " n"]:
    """Cross-entropy of each sample's ideal transitions with its chains of 1 to `chain` steps, their mean.

        T_ij = sum_c phi_ic phi_jc / m_c,   m_c = sum_i phi_ic
        H^(s) = (H o M)^(s-1) H,            M_ij = <phi_i, phi_j>

    Ideal transitions are uniform over the samples of the same class. All steps but the last stay within the
    class, so that chains follow clusters.
    """
    phi = propagated(h, y)
    mass = phi.sum(dim=0)
    ideal = phi @ (phi / mass.where(mass > 0, 1)).T  # (n, n)
    within = h * (phi @ phi.T)
    cost = h.new_zeros(len(h))
    reached = h
    for step in range(chain):
        reached = within @ reached if step else reached
        cost = cost - (ideal * (reached + _FLOOR).log()).sum(dim=1)
    return cost / chain
