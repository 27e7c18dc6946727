"""Random transforms of a whole batch, different for every sample: `(x, generator) -> x`."""

from collections.abc import Callable

from credprop.augment.images import ImageAugment
from credprop.augment.shift import FlipAndShift
from credprop.augment.types import Augment, identity
from credprop.augment.vectors import VectorAugment

AUGMENTS: dict[str, Callable[[], Augment]] = {
    "vectors": VectorAugment,
    "images": ImageAugment,
    "none": lambda: identity,
}

__all__ = ["AUGMENTS", "Augment", "FlipAndShift", "ImageAugment", "VectorAugment", "identity", "weaker"]


def weaker(augment: Augment) -> Augment:
    """A weaker transform of the same family; one that knows of none stands for itself."""
    if isinstance(augment, VectorAugment | ImageAugment):
        return augment.weaker()
    return augment
