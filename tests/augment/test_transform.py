"""Random bytes for augmentations."""

import torch

from credprop.augment.transform import random_bytes


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_random_bytes_are_uniform() -> None:
    count = torch.bincount(
        random_bytes(torch.Size([1001, 1000]), generator()).flatten().long(), minlength=256
    )
    assert len(count) == 256
    chi_square = ((count - count.float().mean()) ** 2 / count.float().mean()).sum()
    assert 170 < chi_square < 360  # 255 expected, within five deviations
