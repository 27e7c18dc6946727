"""The weak augmentation of images: whole pixels, small distances, flips with the given probability."""

import torch
from torch import Tensor

from credprop.augment import FlipAndShift, ImageAugment


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def images(n: int = 8, size: int = 16) -> Tensor:
    return torch.rand(n, 3, size, size, generator=generator(1))


def test_nothing_asked_is_nothing_done_and_a_certain_flip_mirrors() -> None:
    x = images()
    assert torch.equal(FlipAndShift(flip=0, shift=0)(x, generator()), x)
    assert torch.equal(FlipAndShift(flip=1, shift=0)(x, generator()), x.flip(3))


def test_a_shift_is_a_crop_of_the_reflected_image_by_two_pixels_at_most() -> None:
    x = images(n=200)
    shifted = FlipAndShift(flip=0, shift=0.125)(x, generator())
    padded = torch.nn.functional.pad(x, (2, 2, 2, 2), mode="reflect")
    seen = set()
    for i in range(200):
        found = [
            (down, right)
            for down in range(5)
            for right in range(5)
            if torch.equal(shifted[i], padded[i, :, down : down + 16, right : right + 16])
        ]
        assert len(found) == 1
        seen.add(found[0])
    assert len(seen) == 25  # every shift, in every direction


def test_half_of_the_images_are_mirrored() -> None:
    x = images(n=1).expand(2000, 3, 16, 16)
    mirrored = FlipAndShift(shift=0)(x, generator()).ne(x).flatten(1).any(dim=1)
    assert abs(mirrored.float().mean().item() - 0.5) < 0.04


def test_the_weaker_transform_of_images_flips_as_often_and_keeps_colors() -> None:
    assert ImageAugment(flip=0.25).weaker() == FlipAndShift(flip=0.25)
    x = images()
    weak = ImageAugment().weaker()(x, generator())
    assert set(weak[0].flatten(1).T.unique(dim=0)[:, 0].tolist()) <= set(x[0, 0].flatten().tolist())


def test_only_the_generator_decides() -> None:
    x, state = images(), torch.get_rng_state()
    first, again, other = (FlipAndShift()(x, generator(seed)) for seed in (3, 3, 4))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(torch.get_rng_state(), state)
