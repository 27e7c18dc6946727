"""FixMatch: confident predictions on weak views are the labels of strong views."""

from dataclasses import dataclass
from typing import Self

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from credprop.data import UNLABELED, PartlyLabeled
from credprop.methods.batch import Batch
from credprop.networks import Model


@dataclass(frozen=True, eq=False, kw_only=True)
class FixMatch:
    """Sohn et al., FixMatch: Simplifying Semi-Supervised Learning with Consistency and Confidence, 2020.

    arXiv:2001.07685.
    """

    threshold: float = 0.95
    weight: float = 1.0

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The paper's settings."""
        return cls()

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Supervised loss plus consistency on confident pseudo-labels."""
        x, u = batch.weak(batch.x), batch.u
        labeled, weak, strong = batch.together(model, x, batch.weak(u), batch.strong(u))
        p = weak.detach().softmax(dim=1)  # (u, k)
        unsupervised = consistency(strong, p, self.threshold).mean()
        return {"supervised": cross_entropy(labeled, batch.y), "unsupervised": self.weight * unsupervised}

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> Int[Tensor, " n"]:
        """The confident predictions of the model, else -1."""
        return confident(model.classifier(b).softmax(dim=1), self.threshold)


def consistency(
    logits: Float[Tensor, "n k"], p: Float[Tensor, "n k"], threshold: float
) -> Float[Tensor, " n"]:
    """Cross-entropy with the most likely class of `p`; zero where its probability is below the threshold."""
    confidence, pseudo = p.max(dim=1)  # (n,), (n,)
    return cross_entropy(logits, pseudo, reduction="none") * (confidence >= threshold)


def confident(p: Float[Tensor, "n k"], threshold: float) -> Int[Tensor, " n"]:
    """The most likely class where its probability is at least the threshold, else -1."""
    confidence, pseudo = p.max(dim=1)
    return torch.where(confidence >= threshold, pseudo, UNLABELED)
