"""Fully connected networks, for vectors and as heads."""

from collections.abc import Sequence
from itertools import pairwise

from torch import nn


def mlp(inputs: int, widths: Sequence[int] = (256, 128)) -> nn.Sequential:
    """Encoder for vectors: linear layers, each with batch normalization and ReLU."""
    layers: list[nn.Module] = []
    for before, after in pairwise((inputs, *widths)):
        layers += [nn.Linear(before, after, bias=False), nn.BatchNorm1d(after), nn.ReLU()]
    return nn.Sequential(*layers)


def head(inputs: int, widths: Sequence[int]) -> nn.Sequential:
    """Projector or classifier: one linear layer, or several with ReLU between them."""
    layers: list[nn.Module] = []
    for before, after in pairwise((inputs, *widths)):
        layers += [nn.ReLU(), nn.Linear(before, after)]
    return nn.Sequential(*layers[1:])
