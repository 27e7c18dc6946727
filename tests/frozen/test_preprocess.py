"""Images are checked, resized and normalized."""

from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from credprop.frozen import choose_frozen
from credprop.frozen.preprocess import Preprocessing
from credprop.frozen.vision import ImageEncoder
from frozen.vits import images


@pytest.fixture(scope="module")
def lite() -> Any:
    return choose_frozen("pretrained")


@pytest.mark.parametrize("size", [(40, 40), (16, 24), (9, 7)])
def test_resizing_is_pillow_s(size: tuple[int, int]) -> None:
    rows = 64 + images(size=16) // 2  # away from black and white, where Pillow cuts off twice
    expected = [np.asarray(Image.fromarray(row).resize(size[::-1], Image.Resampling.BICUBIC)) for row in rows]
    got = Preprocessing(size=size)(torch.from_numpy(rows).permute(0, 3, 1, 2) / 255).permute(0, 2, 3, 1)
    assert abs(got.numpy() * 255 - np.array(expected)).max() < 1.5


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.zeros((2, 5)), "shape"),
        (np.zeros((2, 5, 5, 5)), "shape"),
        (np.full((2, 4, 4, 3), 7.0), "range from 7 to 7"),
        (np.full((2, 4, 4, 3), np.nan), "range from nan"),
        (np.zeros((2, 4, 4, 3), dtype=int), "type int64"),
        (np.zeros((2, 5, 5, 4), dtype=np.uint8), "one or three channels"),
    ],
)
def test_what_is_no_images_is_refused(lite: ImageEncoder, rows: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        lite.encode(rows)
