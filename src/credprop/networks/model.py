"""Encoder, projector and classifier in one module."""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Num
from torch import Tensor, nn

from credprop.networks.encoders import build_encoder
from credprop.networks.mlp import head
from credprop.networks.text_network import TextNetwork


class Model(nn.Module):
    """Encoder f_b, projector f_z and classifier f_g of the paper, with the mean and scale of the inputs."""

    mean: Tensor
    scale: Tensor

    def __init__(
        self,
        encoder: nn.Module,
        projector: nn.Sequential,
        classifier: nn.Sequential,
        mean: Tensor,
        scale: Tensor,
    ) -> None:
        super().__init__()
        self.encoder, self.projector, self.classifier = encoder, projector, classifier
        self.register_buffer("mean", mean)
        self.register_buffer("scale", scale)

    def standardize(self, x: Num[Tensor, "n ..."]) -> Num[Tensor, "n ..."]:
        """Standardized inputs for augmentation and encoder; token ids are unchanged."""
        return (x - self.mean).div_(self.scale) if x.is_floating_point() else x

    def forward(self, x: Num[Tensor, "n ..."]) -> Float[Tensor, "n k"]:
        """Logits of standardized inputs."""
        logits: Tensor = self.classifier(self.encoder(x))
        return logits

    def project(self, x: Num[Tensor, "n ..."]) -> Float[Tensor, "n d"]:
        """Embeddings z of standardized inputs."""
        z: Tensor = self.projector(self.encoder(x))
        return z

    def both(self, x: Num[Tensor, "n ..."]) -> tuple[Float[Tensor, "n d"], Float[Tensor, "n k"]]:
        """Embeddings and logits with one pass through the encoder."""
        b = self.encoder(x)
        return self.projector(b), self.classifier(b)


def build_model(
    encoder: str | TextNetwork | nn.Module,
    sample: Num[Tensor, "n ..."],
    k: int,
    scale: tuple[Tensor, Tensor] | None = None,
    projector: Sequence[int] = (128,),
    classifier: Sequence[int] = (),
) -> Model:
    """A model for samples of this shape; `projector` and `classifier` are widths of (hidden) layers."""
    mean, spread = scale if scale is not None else (torch.zeros(()), torch.ones(()))
    x = (sample - mean) / spread if sample.is_floating_point() else sample
    built, width = build_encoder(encoder, x)
    return Model(built, head(width, projector), head(width, (*classifier, k)), mean, spread)
