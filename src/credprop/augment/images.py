"""The paper's augmentation of images in [0, 1]: crop, flip, color jitter, grayscale."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import affine_grid, grid_sample

from credprop.augment.shift import FlipAndShift

_GRAY = (0.299, 0.587, 0.114)


@dataclass(frozen=True, kw_only=True)
class ImageAugment:
    """Appendix of the paper: a random crop, then flip, jitter and grayscale with a probability each.

    The crop has at least the share `area` of the image and an aspect ratio within `ratio`, and is resized to
    the full size with bicubic interpolation. Brightness, contrast and saturation change by up to `color`, the
    hue by up to `hue` of a full turn, in random order. Saturation, hue and grayscale do not change images
    with one channel.
    """

    area: float = 0.1
    ratio: tuple[float, float] = (0.75, 1.25)
    flip: float = 0.5
    jitter: float = 0.8
    color: float = 0.72
    hue: float = 0.18
    gray: float = 0.2

    def weaker(self) -> FlipAndShift:
        """A flip with the same probability and a small shift, without changes of color or size."""
        return FlipAndShift(flip=self.flip)

    def __call__(self, x: Float[Tensor, "n c h w"], generator: torch.Generator) -> Float[Tensor, "n c h w"]:
        """An augmented copy of the batch."""
        x = self._crop_and_flip(x, generator)
        n, colors = len(x), x.shape[1] == 3
        x = self._jitter(x, generator)
        if colors:
            gray = _chance(self.gray, n, generator).to(x.device)
            x = torch.where(gray[:, None, None, None], _luma(x), x)
        return x

    def _crop_and_flip(
        self, x: Float[Tensor, "n c h w"], generator: torch.Generator
    ) -> Float[Tensor, "n c h w"]:
        """A random crop of each image, flipped at random, resized to the size of the image."""
        n = len(x)
        area = _uniform(self.area, 1, n, generator)
        ratio = _uniform(math.log(self.ratio[0]), math.log(self.ratio[1]), n, generator).exp()
        width, height = (area * ratio).sqrt().clamp(max=1), (area / ratio).sqrt().clamp(max=1)
        left = _uniform(-1, 1, n, generator) * (1 - width)
        top = _uniform(-1, 1, n, generator) * (1 - height)
        mirror = 1 - 2 * _chance(self.flip, n, generator).float()
        zero = torch.zeros(n)
        rows = torch.stack([width * mirror, zero, left, zero, height, top], dim=1).view(n, 2, 3)
        grid = affine_grid(rows.to(x.device, x.dtype), list(x.shape), align_corners=False)
        return grid_sample(x, grid, mode="bicubic", padding_mode="reflection", align_corners=False).clamp_(
            0, 1
        )

    def _jitter(self, x: Float[Tensor, "n c h w"], generator: torch.Generator) -> Float[Tensor, "n c h w"]:
        """Color jitter by four distortions, in random order for each image."""
        n = len(x)
        distortions = [_brightness, _contrast] + [_saturation, _hue] * (x.shape[1] == 3)
        bound = torch.tensor([self.color, self.color, self.color, self.hue])[: len(distortions)]
        amount = _uniform(-1, 1, n * len(bound), generator).view(n, -1) * bound
        order = torch.rand(n, len(bound), generator=generator).argsort(dim=1)
        order[~_chance(self.jitter, n, generator)] = -1
        for position in range(len(distortions)):
            for which, distort in enumerate(distortions):
                chosen = (order[:, position] == which).nonzero()[:, 0]
                if len(chosen):
                    delta = amount[chosen, which].to(x.device, x.dtype)[:, None, None, None]
                    chosen = chosen.to(x.device)
                    x = x.index_copy(0, chosen, distort(x[chosen], delta))
        return x


def _uniform(low: float, high: float, n: int, generator: torch.Generator) -> Float[Tensor, " n"]:
    return low + (high - low) * torch.rand(n, generator=generator)


def _chance(probability: float, n: int, generator: torch.Generator) -> Tensor:
    return torch.rand(n, generator=generator) < probability


def _luma(x: Float[Tensor, "n 3 h w"]) -> Float[Tensor, "n 1 h w"]:
    return (x * x.new_tensor(_GRAY)[:, None, None]).sum(dim=1, keepdim=True)


def _brightness(x: Float[Tensor, "n c h w"], delta: Float[Tensor, "n 1 1 1"]) -> Float[Tensor, "n c h w"]:
    return (x * (1 + delta)).clamp_(0, 1)


def _contrast(x: Float[Tensor, "n c h w"], delta: Float[Tensor, "n 1 1 1"]) -> Float[Tensor, "n c h w"]:
    mean = (_luma(x) if x.shape[1] == 3 else x).mean(dim=(1, 2, 3), keepdim=True)
    return (mean + (x - mean) * (1 + delta)).clamp_(0, 1)


def _saturation(x: Float[Tensor, "n 3 h w"], delta: Float[Tensor, "n 1 1 1"]) -> Float[Tensor, "n 3 h w"]:
    gray = _luma(x)
    return (gray + (x - gray) * (1 + delta)).clamp_(0, 1)


def _hue(x: Float[Tensor, "n 3 h w"], delta: Float[Tensor, "n 1 1 1"]) -> Float[Tensor, "n 3 h w"]:
    """The hue rotated by `delta` of a full turn, with unchanged value and saturation.

    A color of value v, chroma c and hue h (in sixths) has the channels v - c clip(min(m, 4 - m), 0, 1) with
    m = (offset + h) mod 6 and the offsets 5, 3, 1.
    """
    value, low = x.amax(dim=1, keepdim=True), x.amin(dim=1, keepdim=True)
    chroma = value - low
    red, green, blue = x.split(1, dim=1)
    safe = chroma.where(chroma > 0, 1)
    sixth = torch.where(
        value == red,
        (green - blue) / safe,
        torch.where(value == green, (blue - red) / safe + 2, (red - green) / safe + 4),
    )
    offsets = x.new_tensor([5.0, 3.0, 1.0])[:, None, None]
    m = (offsets + sixth + 6 * delta).remainder_(6)  # (n, 3, h, w)
    return value - chroma * torch.minimum(m, 4 - m).clamp_(0, 1)
