"""Arrays of an .npz and pictures of a folder come in as they are."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from credprop.data import read_source

X = np.arange(8.0).reshape(4, 2)


def saved(folder: Path, **arrays: Any) -> Path:
    np.savez(folder / "t.npz", **arrays)
    return folder / "t.npz"


def painted(folder: Path, names: str, size: tuple[int, int] = (4, 2), mode: str = "RGB") -> None:
    for i, name in enumerate(names.split()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        color = (40 * i,) * 3 if mode == "RGB" else 40 * i
        Image.new(mode, size, color).save(folder / name)


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "int64", "uint8", "bool", ">f8"])
def test_vectors_of_any_number_type_become_float32(tmp_path: Path, kind: str) -> None:
    source = read_source(saved(tmp_path, X=X.astype(kind), y=[0, 1, -1, 0]))
    assert source.kind == "vectors"
    assert source.x.dtype == np.float32
    assert source.x.tolist() == X.astype(kind).astype(float).tolist()
    assert source.ids == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("shape", "kind"), [((4, 5, 6, 3), "uint8"), ((4, 1, 5, 6), "float32"), ((4, 5, 6, 1), ">f8")]
)
def test_images_stay_as_they_are(tmp_path: Path, shape: tuple[int, ...], kind: str) -> None:
    x = np.ones(shape, dtype=kind)
    source = read_source(saved(tmp_path, X=x, y=[0, 1, -1, 0]))
    assert source.kind == "images"
    assert source.x.shape == shape
    assert source.x.dtype == np.dtype(kind).newbyteorder("=")
    assert source.columns == source.warnings == ()


def test_the_part_chooses_among_arrays(tmp_path: Path) -> None:
    path = saved(
        tmp_path, x_train=X, y_train=list("abab"), x_test=X[:2], y_test=list("ba"), y_noisy=list("bbab")
    )
    assert read_source(path).labels == list("abab")
    assert read_source(path, part="test").labels == list("ba")
    assert read_source(path, label="y_noisy").labels == list("bbab")
    assert read_source(path, label="y_noisy", part="test").labels == list("ba")


def test_the_part_chooses_among_rows_that_keep_their_numbers(tmp_path: Path) -> None:
    split = np.array(["train", "test", "other", "train"])
    path = saved(tmp_path, X=X, y=list("abcd"), split=split)
    train, test = read_source(path), read_source(path, part="test")
    assert (train.labels, train.ids, train.x.tolist()) == (["a", "d"], ["0", "3"], [[0, 1], [6, 7]])
    assert (test.labels, test.ids, test.x.tolist()) == (["b"], ["1"], [[2, 3]])


def test_a_split_that_knows_neither_part_is_not_used(tmp_path: Path) -> None:
    assert len(read_source(saved(tmp_path, X=X, y=list("abab"), split=[1, 2, 1, 2]), part="test")) == 4


def test_ids_come_from_an_array_of_that_name_or_the_one_named(tmp_path: Path) -> None:
    path = saved(tmp_path, X=X, y=[0, 1, 0, 1], id=list("wxyz"), number=[7, 8, 9, 10])
    assert read_source(path).ids == list("wxyz")
    assert read_source(path, id_column="number").ids == ["7", "8", "9", "10"]


def test_labels_of_arrays_are_not_read_for_prediction_unless_named(tmp_path: Path) -> None:
    path = saved(tmp_path, X=X, y=[1, -1, 1, -1])
    assert read_source(path, need_labels=False).labels is None
    assert read_source(path, need_labels=False, label="y", unlabeled="").labels == [1, -1, 1, -1]
    assert read_source(saved(tmp_path, X=X), need_labels=False, label="y").labels is None


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


def test_a_flat_folder_will_do_for_prediction(tmp_path: Path) -> None:
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
        "folder 'empty' holds no images",
        "1 image lies outside the folders of the classes and is left out",
    )


def test_another_folder_can_be_the_unlabeled_one(tmp_path: Path) -> None:
    painted(tmp_path, "cat/a.png dog/a.png todo/a.png")
    assert read_source(tmp_path, unlabeled="todo").labels == ["cat", "dog", None]
