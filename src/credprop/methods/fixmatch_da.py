"""FixMatch with distribution alignment: pseudo-labels follow the class distribution of given labels."""

from dataclasses import dataclass, field
from typing import Self

from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from credprop.data import PartlyLabeled
from credprop.methods.alignment import RunningMarginal, align, class_distribution
from credprop.methods.batch import Batch
from credprop.methods.fixmatch import confident, consistency
from credprop.networks import Model


@dataclass(frozen=True, eq=False, kw_only=True)
class AlignedFixMatch:
    """FixMatch (arXiv:2001.07685) with the distribution alignment of ReMixMatch.

    Berthelot et al., ReMixMatch: Semi-Supervised Learning with Distribution Alignment and Augmentation
    Anchoring, 2020. arXiv:1911.09785.
    """

    target: Float[Tensor, " k"]  # class distribution of the given labels
    threshold: float = 0.95
    weight: float = 1.0
    marginal: RunningMarginal = field(default_factory=lambda: RunningMarginal(batches=128))

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The papers' settings, and the class distribution of the given labels."""
        return cls(target=class_distribution(data.labels, data.k).to(model.mean.device))

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Supervised loss plus consistency on confident aligned pseudo-labels."""
        x, u = batch.weak(batch.x), batch.u
        labeled, weak, strong = batch.together(model, x, batch.weak(u), batch.strong(u))
        p = weak.detach().softmax(dim=1)  # (u, k)
        aligned = align(p, self.target, self.marginal.update(p))
        unsupervised = consistency(strong, aligned, self.threshold).mean()
        return {"supervised": cross_entropy(labeled, batch.y), "unsupervised": self.weight * unsupervised}

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> Int[Tensor, " n"]:
        """The confident aligned predictions, else -1."""
        p = model.classifier(b).softmax(dim=1)
        return confident(align(p, self.target, self.marginal.mean()), self.threshold)
