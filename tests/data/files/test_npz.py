"""The arrays of an .npz are read as they are."""

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
