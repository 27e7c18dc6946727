"""SimCLR: contrastive pretraining on two views of every sample, then fine-tuning on the labels."""

from dataclasses import dataclass
from typing import Self

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import normalize

from credprop.data import PartlyLabeled
from credprop.functional import simclr_loss
from credprop.methods.batch import Batch
from credprop.networks import Model


@dataclass(frozen=True, eq=False, kw_only=True)
class SimCLR:
    """Chen et al., A Simple Framework for Contrastive Learning of Visual Representations, 2020.

    arXiv:2002.05709. This is the contrastive stage; the classifier follows.
    """

    temperature: float = 0.5
    rows: int = 256  # per batch, with two views each

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The paper's temperature for CIFAR."""
        return cls()

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """NT-Xent loss of two strong views."""
        u = batch.u[: self.rows]
        (z,) = batch.together(model.project, batch.strong(torch.cat([u, u])))
        return {"contrastive": simclr_loss(cosine_similarity(z), temperature=self.temperature).mean()}

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> None:
        """None: there are no pseudo-labels."""


def cosine_similarity(z: Float[Tensor, "n d"]) -> Float[Tensor, "n n"]:
    """Pairwise cosine similarity of the rows."""
    unit = normalize(z, dim=1)
    return unit @ unit.T
