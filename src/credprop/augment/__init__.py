"""Random transforms of a whole batch, different for every sample: `(x, generator) -> x`."""

from credprop.augment.images import ImageAugment
from credprop.augment.types import Augment
from credprop.augment.vectors import VectorAugment

__all__ = ["Augment", "ImageAugment", "VectorAugment"]
