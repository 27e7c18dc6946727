"""Frozen encoders by name."""

from typing import TYPE_CHECKING, Union

from credprop.frozen.protocol import Frozen
from credprop.frozen.sentence import MINILM, SentenceEncoder

if TYPE_CHECKING:
    from torch import nn


def choose_frozen(encoder: Union[str, "nn.Module"], device: str | None = None) -> Frozen:
    """The frozen encoder of this name, or one made from a network.

    `sentence` and `pretrained` are the defaults for texts and for images; after a colon comes the name of a
    model on the hub, or the folder of a saved one. Weights are downloaded if necessary, and loaded when the
    first row is encoded.
    """
    if not isinstance(encoder, str):
        from credprop.frozen.vision import module_encoder

        return module_encoder(encoder, device)
    family, _, model = encoder.partition(":")
    if family == "sentence":
        return SentenceEncoder(model or MINILM, device)
    if family == "pretrained":
        from credprop.frozen.efficientnet import LITE0
        from credprop.frozen.vision import pretrained

        return pretrained(model or LITE0, device)
    if family == "module":
        raise ValueError(f"{encoder} is a custom network; pass the nn.Module itself")
    raise ValueError(
        f"unknown frozen encoder {encoder!r}; use sentence, sentence:MODEL, pretrained, "
        "pretrained:MODEL, or any nn.Module"
    )
