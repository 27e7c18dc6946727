"""A folder of images is read by class, in the order of names."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from credprop.data import read_source


def painted(folder: Path, names: str, size: tuple[int, int] = (4, 2), mode: str = "RGB") -> None:
    for i, name in enumerate(names.split()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        color = (40 * i,) * 3 if mode == "RGB" else 40 * i
        Image.new(mode, size, color).save(folder / name)


def test_a_folder_gives_images_by_class_in_the_order_of_their_names(tmp_path: Path) -> None:
    painted(tmp_path, "dog/a.PNG cat/b.jpg unlabeled/c.bmp cat/a.tiff dog/d.gif cat/e.webp .git/x.png")
    (tmp_path / "cat" / ".hidden.png").write_text("not an image")
    (tmp_path / "cat" / "notes.txt").write_text("not an image")
    source = read_source(tmp_path)
    assert source.ids == [
        "cat/a.tiff",
        "cat/b.jpg",
        "cat/e.webp",
        "dog/a.PNG",
        "dog/d.gif",
        "unlabeled/c.bmp",
    ]
    assert source.labels == ["cat", "cat", "cat", "dog", "dog", None]
    assert (source.kind, source.x.shape) == ("images", (6, 2, 4, 3))
    assert source.x.dtype == np.uint8
    assert (
        np.abs(source.x[:, 0, 0, 0].astype(int) - [120, 40, 200, 0, 160, 80]).max() <= 2
    )  # jpeg, webp round
    assert source.warnings == ()


def test_gray_images_have_one_channel_unless_one_has_colors(tmp_path: Path) -> None:
    painted(tmp_path, "0/a.png 1/a.png", mode="L")
    Image.fromarray(np.full((2, 4), 256 * 9 + 17, dtype=np.uint16)).save(tmp_path / "1" / "deep.png")
    gray = read_source(tmp_path)
    assert gray.x.shape == (3, 2, 4, 1)
    assert gray.x[:, 0, 0, 0].tolist() == [0, 40, 9]
    assert gray.labels == ["0", "1", "1"]
    painted(tmp_path, "1/b.png")
    assert read_source(tmp_path).x.shape == (4, 2, 4, 3)


def test_what_is_transparent_is_white_and_images_stand_upright(tmp_path: Path) -> None:
    painted(tmp_path, "0/a.png")
    (tmp_path / "1").mkdir()
    Image.new("RGBA", (4, 2), (9, 9, 9, 0)).save(tmp_path / "1" / "clear.png")
    palette = Image.new("P", (4, 2), 0)
    palette.putpalette([7, 8, 9] * 2)
    palette.save(tmp_path / "1" / "palette.png", transparency=b"\xff\x00")
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    Image.new("RGB", (2, 4), (5, 5, 5)).save(tmp_path / "1" / "turned.png", exif=exif)
    x = read_source(tmp_path).x
    assert x.shape == (4, 2, 4, 3)
    assert x[:, 0, 0].tolist() == [[0, 0, 0], [255, 255, 255], [7, 8, 9], [5, 5, 5]]


def test_a_flat_folder_works_for_prediction(tmp_path: Path) -> None:
    painted(tmp_path, "b.png a.png")
    source = read_source(tmp_path, need_labels=False)
    assert (source.ids, source.labels) == (["a.png", "b.png"], None)
    painted(tmp_path, "cat/c.png")
    source = read_source(tmp_path, need_labels=False)
    assert (source.ids, source.labels) == (["a.png", "b.png", "cat/c.png"], [None, None, "cat"])


def test_what_a_folder_leaves_out_is_said(tmp_path: Path) -> None:
    painted(tmp_path, "cat/a.png dog/a.png loose.png")
    (tmp_path / "empty").mkdir()
    source = read_source(tmp_path)
    assert source.ids == ["cat/a.png", "dog/a.png"]
    assert source.warnings == (
        "folder 'empty' contains no images",
        "1 image outside the class folders is ignored",
    )


def test_another_folder_can_be_the_unlabeled_one(tmp_path: Path) -> None:
    painted(tmp_path, "cat/a.png dog/a.png todo/a.png")
    assert read_source(tmp_path, unlabeled="todo").labels == ["cat", "dog", None]


def test_an_image_that_is_a_bomb_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    painted(tmp_path, "a/1.png")
    painted(tmp_path, "b/2.png", size=(9, 2))
    for limit in (10, 4):  # a warning of Pillow's, and from twice its limit on an error
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)
        with pytest.raises(ValueError, match=r"\.png: is too large an image .*; resize it"):
            read_source(tmp_path)
