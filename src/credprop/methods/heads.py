"""Heads that a method puts beside those of the model."""

import copy

from torch import nn

from credprop.networks import Model


def encoder_width(model: Model) -> int:
    """How many features the encoder puts out."""
    first = model.classifier[0]
    assert isinstance(first, nn.Linear)
    return first.in_features


def another_classifier(model: Model) -> nn.Sequential:
    """A classifier like the model's own with random weights of its own."""
    other = copy.deepcopy(model.classifier)
    for layer in other:
        if isinstance(layer, nn.Linear):
            layer.reset_parameters()
    return other
