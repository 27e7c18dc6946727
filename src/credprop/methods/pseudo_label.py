"""Pseudo-Label: the model's confident predictions as labels, with an increasing weight."""

from dataclasses import dataclass
from typing import Self

from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy

from credprop.data import PartlyLabeled
from credprop.methods.batch import Batch
from credprop.methods.fixmatch import confident, consistency
from credprop.networks import Model


@dataclass(frozen=True, eq=False, kw_only=True)
class PseudoLabel:
    """Pseudo-Label: The Simple and Efficient Semi-Supervised Learning Method for Deep Neural Networks.

    Lee, ICML workshop 2013. The weight is 0 until the share `begin` of the steps, increases linearly, and is
    constant from `end` on.
    """

    # Lee uses every prediction as a label (threshold 0); Oliver et al. 2018 (arXiv:1804.09170), whose
    # comparison made the method a standard, those above 0.95. We use 0.95. docs/methods.md.
    threshold: float = 0.95
    weight: float = 3.0
    begin: float = 0.1
    end: float = 0.6

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The paper's weight."""
        return cls()

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Supervised loss plus loss on pseudo-labels."""
        labeled, unlabeled = batch.together(model, batch.weak(batch.x), batch.weak(batch.u))
        p = unlabeled.detach().softmax(dim=1)
        unsupervised = consistency(unlabeled, p, self.threshold).mean()
        weight = self.weight_at(batch.progress)
        return {"supervised": cross_entropy(labeled, batch.y), "unsupervised": weight * unsupervised}

    def weight_at(self, progress: float) -> float:
        """Weight of the pseudo-labels after this share of the steps."""
        return self.weight * min(max((progress - self.begin) / (self.end - self.begin), 0.0), 1.0)

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> Int[Tensor, " n"]:
        """The confident predictions of the model, else -1."""
        return confident(model.classifier(b).softmax(dim=1), self.threshold)
