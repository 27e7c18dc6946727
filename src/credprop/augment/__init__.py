"""Random augmentations of a batch, different for every sample: `(x, generator) -> x`.

For texts, input and output are token ids (n, length). An augmentation with a true attribute `takes_vectors`
takes `Embedded` and returns vectors (n, length, width).
"""

from collections.abc import Callable

from credprop.augment.images import ImageAugment
from credprop.augment.shift import FlipAndShift
from credprop.augment.text import Embedded, HideTokens, TextAugment
from credprop.augment.transform import Augment, identity, takes_vectors
from credprop.augment.vectors import VectorAugment

AUGMENTS: dict[str, Callable[[], Augment]] = {
    "vectors": VectorAugment,
    "images": ImageAugment,
    "text": TextAugment,
    "hide": HideTokens,
    "none": lambda: identity,
}

__all__ = [
    "AUGMENTS",
    "Augment",
    "Embedded",
    "FlipAndShift",
    "HideTokens",
    "ImageAugment",
    "TextAugment",
    "VectorAugment",
    "identity",
    "takes_vectors",
    "weaker",
]


def weaker(augment: Augment) -> Augment:
    """A weaker augmentation of the same family; a custom augmentation is returned unchanged."""
    if isinstance(augment, VectorAugment | ImageAugment | TextAugment | HideTokens):
        return augment.weaker()
    return augment
