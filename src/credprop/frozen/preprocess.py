"""Pictures as a pretrained network wants them: checked, resized and normalized, a batch at a time."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F


@dataclass(frozen=True, kw_only=True)
class Intake:
    """What happens to a picture before the network: its size and, for three channels, mean and spread.

    Without a size it stays as large as it is; without a mean its channels stay what they are. A picture is
    squeezed into the size, nothing of it is cut off.
    """

    size: tuple[int, int] | None = None
    mean: tuple[float, float, float] | None = None
    spread: tuple[float, float, float] = (1.0, 1.0, 1.0)
    interpolation: str = "bicubic"

    def __call__(self, pictures: Float[Tensor, "n c h w"]) -> Float[Tensor, "n c2 h2 w2"]:
        """Pictures in [0, 1] as the network's input; a single channel is repeated where it wants three."""
        x = pictures
        if self.size is not None and tuple(x.shape[2:]) != self.size:
            smooth = self.interpolation != "nearest-exact"
            x = F.interpolate(x, self.size, mode=self.interpolation, antialias=smooth).clamp(0, 1)
        if self.mean is None:
            return x
        return (x - x.new_tensor(self.mean)[:, None, None]) / x.new_tensor(self.spread)[:, None, None]


def check_pictures(rows: Any, *, colored: bool) -> NDArray[Any]:
    """Pictures (n, c, h, w), bytes or floats in [0, 1]; `colored` ones must have one or three channels."""
    pictures = np.asarray(rows)
    channels = (1, 3) if colored else (1, 3, 4)
    if pictures.ndim != 4 or not {pictures.shape[1], pictures.shape[3]} & set(channels):
        raise ValueError(
            f"pictures have shape {pictures.shape}; give (n, height, width, channels) or "
            "(n, channels, height, width), with one or three channels"
        )
    if pictures.shape[1] not in channels:
        pictures = pictures.transpose(0, 3, 1, 2)
    if pictures.dtype != np.uint8 and pictures.dtype.kind != "f":
        raise ValueError(f"pictures are of type {pictures.dtype}; give bytes (uint8), or floats in [0, 1]")
    if pictures.dtype.kind == "f" and pictures.size and not 0 <= pictures.min() <= pictures.max() <= 1:
        low, high = pictures.min(), pictures.max()
        raise ValueError(f"pictures range from {low:g} to {high:g}; give bytes, or floats in [0, 1]")
    return pictures


def as_floats(pictures: NDArray[Any]) -> Float[Tensor, "n c h w"]:
    """Pictures as float32 in [0, 1]."""
    x = torch.from_numpy(np.ascontiguousarray(pictures))
    return x.float() / 255 if x.dtype == torch.uint8 else x.float()
