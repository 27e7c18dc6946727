"""Augmentation of standardized vectors."""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from credprop.augment.transform import random_bytes


@dataclass(frozen=True, kw_only=True)
class VectorAugment:
    """Add noise to all features, set some to their mean, and copy some from another sample.

    `noise` is the standard deviation of uniform noise, relative to that of the feature; `drop` and `mix` are
    the shares of features set to their mean and copied from another sample, to the nearest 1/256.
    """

    noise: float = 0.3
    drop: float = 0.2
    mix: float = 0.1

    def weaker(self) -> "VectorAugment":
        """The same with half the noise and half the shares."""
        return VectorAugment(noise=self.noise / 2, drop=self.drop / 2, mix=self.mix / 2)

    def __call__(self, x: Float[Tensor, "n d"], generator: torch.Generator) -> Float[Tensor, "n d"]:
        """An augmented copy of the batch."""
        fate = random_bytes(x.shape, generator).to(x.device, x.dtype)  # one byte for each feature
        dropped = round(256 * self.drop)  # lower bytes drop the feature
        mixed = dropped + round(256 * self.mix)  # bytes from `dropped` to here mix it
        other = x.index_select(0, torch.randperm(len(x), generator=generator).to(x.device))
        # Masks of ones and zeros by integer arithmetic: three times faster than comparisons.
        x = x.lerp(other, (mixed - fate).clamp_(0, 1)).mul_(fate.sub_(dropped - 1).clamp_(0, 1))
        uniform = random_bytes(x.shape, generator).to(x.device, x.dtype)
        return x.add_(
            uniform.sub_(127.5), alpha=self.noise / 73.9
        )  # 73.9: standard deviation of a uniform byte
