"""Labels come out as they were written, None where a row is unlabeled."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from credprop.data import read_source


def csv_labels(folder: Path, labels: list[str], unlabeled: str | None = None) -> list[object] | None:
    rows = [f'{i},"{label}"' for i, label in enumerate(labels)]
    (folder / "t.csv").write_text("\n".join(["a,y", *rows]) + "\n")
    return read_source(folder / "t.csv", label="y", unlabeled=unlabeled).labels


def jsonl_labels(folder: Path, labels: list[Any], unlabeled: str | None = None) -> list[object] | None:
    rows = [json.dumps({"a": i, "y": label}) for i, label in enumerate(labels)]
    (folder / "t.jsonl").write_text("\n".join(rows))
    return read_source(folder / "t.jsonl", label="y", unlabeled=unlabeled).labels


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["cat", "", "nan", "NaN", "dog"], ["cat", None, None, None, "dog"]),
        (["NA", "None", "null", "N/A"], ["NA", "None", "null", "N/A"]),
        (["0", "1", "", "-1", "2"], [0, 1, None, None, 2]),
        (["0.0", "1.0", "-1.0", ""], [0, 1, None, None]),
        (["007", "011", ""], ["007", "011", None]),
        (["0.5", "1"], ["0.5", "1"]),
        (["True", "False"], ["True", "False"]),
        (["cat", "-1", "dog"], ["cat", None, "dog"]),
        (["1", "12345678901234567890"], ["1", "12345678901234567890"]),
        (["-1", "-2", "3"], [None, -2, 3]),
    ],
)
def test_labels_of_a_csv_are_text_or_whole_numbers(
    tmp_path: Path, written: list[str], read: list[object]
) -> None:
    labels = csv_labels(tmp_path, written)
    assert labels == read
    assert [type(label) for label in labels or []] == [type(label) for label in read]


@pytest.mark.parametrize(
    ("written", "unlabeled", "read"),
    [
        (["cat", "unknown", "", "dog"], "unknown", ["cat", None, None, "dog"]),
        (["1", "unknown", "2"], "unknown", [1, None, 2]),
        (["0", "1", "-1"], "0", [None, 1, -1]),
        (["0.0", "1.0", "-1.0"], "0", [None, 1, -1]),
        (["1", "-1", ""], "", [1, -1, None]),
        (["1", "-1", "2"], "-1", [1, None, 2]),
    ],
)
def test_a_named_marker_takes_the_place_of_minus_one(
    tmp_path: Path, written: list[str], unlabeled: str, read: object
) -> None:
    assert csv_labels(tmp_path, written, unlabeled) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["cat", None, "", "dog"], ["cat", None, None, "dog"]),
        ([1, 2, None, -1], [1, 2, None, None]),
        ([1.0, 2.0, float("nan")], [1, 2, None]),
        ([0.5, 1], [0.5, 1.0]),
        ([True, False, None], [True, False, None]),
        (["1", "2"], ["1", "2"]),
        (["cat", -1, "dog"], ["cat", None, "dog"]),
    ],
)
def test_types_of_jsonl_are_kept(tmp_path: Path, written: list[Any], read: list[object]) -> None:
    labels = jsonl_labels(tmp_path, written)
    assert labels == read
    assert [type(label) for label in labels or []] == [type(label) for label in read]


def test_a_named_marker_is_compared_as_text_whatever_the_type(tmp_path: Path) -> None:
    assert jsonl_labels(tmp_path, [0, 1, -1], "0") == [None, 1, -1]
    assert jsonl_labels(tmp_path, [0.0, 1.0, -1.0], "-1") == [0, 1, None]
    assert jsonl_labels(tmp_path, [True, False], "False") == [True, None]


def test_whole_numbers_that_missing_values_made_floats_are_whole_again(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "y": [1, None, 3]})
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_source(tmp_path / "t.parquet", label="y").labels == [1, None, 3]


@pytest.mark.parametrize(
    ("y", "read"),
    [
        (np.array([b"cat", b"", b"dog"]), ["cat", None, "dog"]),
        (np.array(["cat", "", "nan"]), ["cat", None, None]),
        (np.array([0, 1, -1], dtype=np.int8), [0, 1, None]),
        (np.array([[0.0], [2.0], [np.nan]]), [0, 2, None]),
        (np.array([True, False, True]), [True, False, True]),
    ],
)
def test_labels_of_arrays_become_plain_python(tmp_path: Path, y: Any, read: list[object]) -> None:
    np.savez(tmp_path / "t.npz", X=np.arange(6).reshape(3, 2), y=y)
    labels = read_source(tmp_path / "t.npz").labels
    assert labels == read
    assert [type(label) for label in labels or []] == [type(label) for label in read]
