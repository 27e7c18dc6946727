"""SupCon: contrastive pretraining with given labels, then a classifier on the frozen encoder."""

from dataclasses import dataclass
from typing import Self

import torch
from jaxtyping import Float
from torch import Tensor

from credprop.data import PartlyLabeled
from credprop.functional import initial_credibility, soft_contrastive_loss
from credprop.methods.batch import Batch
from credprop.methods.simclr import cosine_similarity
from credprop.networks import Model


@dataclass(frozen=True, eq=False, kw_only=True)
class SupCon:
    """Khosla et al., Supervised Contrastive Learning, 2020.

    arXiv:2004.11362. This is the contrastive stage; the classifier on the frozen encoder follows.
    """

    k: int
    temperature: float = 0.1

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The paper's temperature."""
        return cls(k=data.k)

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Supervised contrastive loss of two strong views: L_SSC with one-hot credibility."""
        views = batch.strong(torch.cat([batch.x, batch.x]))
        (z,) = batch.together(model.project, views)
        q = initial_credibility(batch.y, self.k).repeat(2, 1)
        loss = soft_contrastive_loss(cosine_similarity(z), q, temperature=self.temperature)
        return {"contrastive": loss.mean()}

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> None:
        """None: there are no pseudo-labels."""
