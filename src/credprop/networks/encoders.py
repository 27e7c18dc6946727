"""Encoders by name, and their output width."""

import copy
from collections.abc import Callable

import torch
from torch import Tensor, nn

from credprop.networks.mlp import mlp
from credprop.networks.residual import small_resnet, wide_resnet
from credprop.networks.text_network import TextEncoder, TextNetwork

# Each takes the shape of one sample: (features,) or (channels, height, width).
ENCODERS: dict[str, Callable[[torch.Size], nn.Module]] = {
    "mlp": lambda size: mlp(size[0]),
    "resnet-small": lambda size: small_resnet(size[0]),
    "wrn-28-2": lambda size: wide_resnet(28, 2, size[0]),
    "wrn-28-8": lambda size: wide_resnet(28, 8, size[0]),
}


def build_encoder(encoder: str | TextNetwork | nn.Module, sample: Tensor) -> tuple[nn.Module, int]:
    """The encoder with this name or description, or a copy of the module, and its output width."""
    if isinstance(encoder, str):
        if encoder not in ENCODERS:
            raise ValueError(
                f"unknown encoder {encoder!r}; use one of {', '.join(ENCODERS)}, or an nn.Module"
            )
        encoder = ENCODERS[encoder](sample.shape[1:])
    elif isinstance(encoder, TextNetwork):
        encoder = TextEncoder(encoder)
    else:
        encoder = copy.deepcopy(encoder)
    with torch.no_grad():
        output = encoder.eval()(sample)
    encoder.train()
    if output.dim() != 2 or len(output) != len(sample):
        raise ValueError(
            f"the encoder maps a batch of shape {tuple(sample.shape)} to {tuple(output.shape)}; "
            f"it must return one vector per sample, ({len(sample)}, width)"
        )
    return encoder, output.shape[1]
