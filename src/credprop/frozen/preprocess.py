"""Images as a pretrained network expects them: checked, resized and normalized."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F


@dataclass(frozen=True, kw_only=True)
class Preprocessing:
    """Size of the images for a network and, for three channels, mean and standard deviation (`spread`).

    Without a size images keep theirs; without a mean they are not normalized. Images are resized without
    cropping or keeping proportions.
    """

    size: tuple[int, int] | None = None
    mean: tuple[float, float, float] | None = None
    spread: tuple[float, float, float] = (1.0, 1.0, 1.0)
    interpolation: str = "bicubic"

    def describe(self) -> str:
        """A description that stays the same over versions, because the identity of an encoder contains it."""
        return repr(self).replace(type(self).__name__, "Intake", 1)

    def __call__(self, images: Float[Tensor, "n c h w"]) -> Float[Tensor, "n c2 h2 w2"]:
        """Images in [0, 1] as the network's input; a single channel is repeated if it expects three."""
        x = images
        if self.size is not None and tuple(x.shape[2:]) != self.size:
            smooth = self.interpolation != "nearest-exact"
            x = F.interpolate(x, self.size, mode=self.interpolation, antialias=smooth).clamp(0, 1)
        if self.mean is None:
            return x
        return (x - x.new_tensor(self.mean)[:, None, None]) / x.new_tensor(self.spread)[:, None, None]


def check_images(rows: Any, *, colored: bool) -> NDArray[Any]:
    """Images (n, c, h, w), bytes or floats in [0, 1]; `colored` ones must have one or three channels."""
    images = np.asarray(rows)
    channels = (1, 3) if colored else (1, 3, 4)
    if images.ndim != 4 or not {images.shape[1], images.shape[3]} & set(channels):
        raise ValueError(
            f"images have shape {images.shape}; give (n, height, width, channels) or "
            "(n, channels, height, width), with one or three channels"
        )
    if images.shape[1] not in channels:
        images = images.transpose(0, 3, 1, 2)
    if images.dtype != np.uint8 and images.dtype.kind != "f":
        raise ValueError(f"images are of type {images.dtype}; give bytes (uint8), or floats in [0, 1]")
    if images.dtype.kind == "f" and images.size and not 0 <= images.min() <= images.max() <= 1:
        low, high = images.min(), images.max()
        raise ValueError(f"images range from {low:g} to {high:g}; give bytes, or floats in [0, 1]")
    return images


def as_floats(images: NDArray[Any]) -> Float[Tensor, "n c h w"]:
    """Images as float32 in [0, 1]."""
    x = torch.from_numpy(np.ascontiguousarray(images))
    return x.float() / 255 if x.dtype == torch.uint8 else x.float()
