"""The weak augmentation of images: random flip and small shift."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor


@dataclass(frozen=True, kw_only=True)
class FlipAndShift:
    """A horizontal flip with probability `flip`, and a shift by whole pixels in both directions.

    The shift is at most the share `shift` of height and width; borders are filled by reflection.
    """

    flip: float = 0.5
    shift: float = 0.125

    def __call__(self, x: Float[Tensor, "n c h w"], generator: torch.Generator) -> Float[Tensor, "n c h w"]:
        """An augmented copy of the batch."""
        n, _, height, width = x.shape
        rows = self._shifted(n, height, generator)
        columns = self._shifted(n, width, generator)
        mirrored = torch.rand(n, 1, generator=generator) < self.flip
        columns = columns.where(~mirrored, width - 1 - columns)
        sample = torch.arange(n)[:, None, None]
        picked = x[sample, :, rows[:, :, None], columns[:, None, :]]  # (n, h, w, c)
        return picked.permute(0, 3, 1, 2)

    def _shifted(self, n: int, size: int, generator: torch.Generator) -> Int[Tensor, "n size"]:
        """The source row (or column) of each output row of each image."""
        most = int(self.shift * size)
        line = torch.arange(size) + torch.randint(-most, most + 1, (n, 1), generator=generator)
        return size - 1 - (size - 1 - line.abs()).abs()
