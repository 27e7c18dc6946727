"""Cross-entropy on given labels: the last stage of methods that learn a representation first."""

from dataclasses import dataclass
from typing import Self

from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import cross_entropy

from credprop.data import PartlyLabeled
from credprop.methods.batch import Batch
from credprop.networks import Model


@dataclass(frozen=True, eq=False, kw_only=True)
class Classify:
    """Train the classifier on given labels; the encoder is trained too unless `frozen`."""

    frozen: bool = False

    @classmethod
    def fine_tune(cls, model: Model, data: PartlyLabeled) -> Self:
        """Train encoder and classifier."""
        return cls()

    @classmethod
    def on_top(cls, model: Model, data: PartlyLabeled) -> Self:
        """Train only the classifier."""
        return cls(frozen=True)

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Supervised loss."""
        (b,) = batch.together(model.encoder, batch.weak(batch.x))
        logits = model.classifier(b.detach() if self.frozen else b)
        return {"supervised": cross_entropy(logits, batch.y)}

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> None:
        """None: there are no pseudo-labels."""
