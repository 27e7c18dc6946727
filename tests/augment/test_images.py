"""Augmentation of images against closed forms, and their bounds and probabilities."""

import colorsys

import pytest
import torch
from torch import Tensor

from credprop.augment import ImageAugment
from credprop.augment.images import _brightness, _contrast, _hue, _luma, _saturation

NOTHING = ImageAugment(area=1, ratio=(1, 1), flip=0, jitter=0, gray=0)


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def images(n: int = 8, channels: int = 3, size: int = 16) -> Tensor:
    return torch.rand(n, channels, size, size, generator=generator(1))


def only(**chances: float) -> ImageAugment:
    return ImageAugment(**({"area": 1, "ratio": (1, 1), "flip": 0, "jitter": 0, "gray": 0} | chances))  # type: ignore[arg-type]


def test_nothing_asked_is_nothing_done() -> None:
    x = images()
    torch.testing.assert_close(NOTHING(x, generator()), x, atol=1e-5, rtol=0)


def test_flip_mirrors_left_and_right() -> None:
    x = images()
    torch.testing.assert_close(only(flip=1)(x, generator()), x.flip(3), atol=1e-5, rtol=0)


def test_hue_turns_as_in_the_standard_library() -> None:
    x = images(n=2, size=3)
    x[0, :, 0, 0] = 0.5  # gray has no hue
    turned = _hue(x, torch.tensor([0.18, -0.31]).view(2, 1, 1, 1))
    for i, delta in enumerate((0.18, -0.31)):
        for row in range(3):
            for column in range(3):
                h, s, v = colorsys.rgb_to_hsv(*x[i, :, row, column].tolist())
                expected = colorsys.hsv_to_rgb((h + delta) % 1, s, v)
                torch.testing.assert_close(
                    turned[i, :, row, column], torch.tensor(expected), atol=1e-5, rtol=0
                )


def test_brightness_contrast_and_saturation_in_closed_form() -> None:
    x, delta = images(n=1) * 0.2 + 0.4, torch.full((1, 1, 1, 1), 0.5)
    torch.testing.assert_close(_brightness(x, delta), x * 1.5)
    assert _brightness(x, 9 * delta).max() == 1
    torch.testing.assert_close(_luma(_contrast(x, delta)).mean(), _luma(x).mean())
    torch.testing.assert_close(_contrast(x, delta).std(), 1.5 * x.std())
    torch.testing.assert_close(_luma(_saturation(x, delta)), _luma(x))
    torch.testing.assert_close(_saturation(x, -2 * delta), _luma(x).expand_as(x))


def test_the_crop_stays_within_its_bounds() -> None:
    """An image of coordinates shows which window was cropped."""
    size, n = 64, 400
    line = (torch.arange(size) + 0.5) / size
    x = torch.stack([line.expand(size, size), line[:, None].expand(size, size), torch.zeros(size, size)])
    crop = ImageAugment(flip=0, jitter=0, gray=0)(x.expand(n, 3, size, size), generator())
    inner = slice(8, size - 8)  # away from the border, where interpolation reflects
    scale = size / (size - 17)
    width = (crop[:, 0, :, inner].amax(dim=(1, 2)) - crop[:, 0, :, inner].amin(dim=(1, 2))) * scale
    height = (crop[:, 1, inner].amax(dim=(1, 2)) - crop[:, 1, inner].amin(dim=(1, 2))) * scale
    area, ratio = width * height, width / height
    assert 0.09 < area.min() < 0.16
    assert area.max() > 0.85
    assert 0.74 < ratio.min() < 0.8
    assert 1.2 < ratio.max() < 1.27


def test_each_transform_happens_as_often_as_the_paper_says() -> None:
    x = images(n=1).expand(2000, 3, 16, 16)
    gray = only(gray=0.2)(x, generator())
    assert abs((gray[:, 0] == gray[:, 1]).all(dim=(1, 2)).float().mean().item() - 0.2) < 0.03
    flipped = only(flip=0.5)(x, generator())
    assert abs((flipped - x).abs().amax(dim=(1, 2, 3)).gt(0.1).float().mean().item() - 0.5) < 0.04
    jittered = only(jitter=0.8)(x, generator())
    assert abs((jittered - x).abs().amax(dim=(1, 2, 3)).gt(1e-3).float().mean().item() - 0.8) < 0.03


def test_the_order_of_the_distortions_is_drawn_for_each_image() -> None:
    """Full contrast then no brightness differs from the other order, so both must show up."""
    x = images(n=1, channels=1).expand(300, 1, 16, 16)
    spread = only(jitter=1.0)(x, generator()).flatten(1)
    assert len(spread.unique(dim=0)) == 300


@pytest.mark.parametrize("channels", [1, 3])
def test_results_are_images_again(channels: int) -> None:
    x = images(n=64, channels=channels)
    result = ImageAugment()(x, generator())
    assert result.shape == x.shape
    assert result.min() >= 0
    assert result.max() <= 1
    assert len(result.flatten(1).unique(dim=0)) == 64


def test_only_the_generator_decides() -> None:
    x, state = images(), torch.get_rng_state()
    first, again, other = (ImageAugment()(x, generator(seed)) for seed in (3, 3, 4))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(torch.get_rng_state(), state)
