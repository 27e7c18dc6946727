"""Additional heads of a method."""

import copy

from torch import nn

from credprop.networks import Model


def encoder_width(model: Model) -> int:
    """Number of output features of the encoder."""
    first = model.classifier[0]
    assert isinstance(first, nn.Linear)
    return first.in_features


def another_classifier(model: Model) -> nn.Sequential:
    """A new classifier with the architecture of the model's."""
    other = copy.deepcopy(model.classifier)
    for layer in other:
        if isinstance(layer, nn.Linear):
            layer.reset_parameters()
    return other
