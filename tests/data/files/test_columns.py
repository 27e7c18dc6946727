"""The columns of a table in their roles: features, ids, labels, images."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from credprop.data import Source, read_source

ROWS = [("u", 1.5, 2, "cat", "x"), ("v", -1.0, 3, "", "y"), ("w", 0.0, 5, "dog", "z")]

NAMES = ["name", "a", "b", "kind", "note"]


def text(separator: str) -> bytes:
    return "\n".join(separator.join(map(str, row)) for row in [NAMES, *ROWS]).encode() + b"\n"


def json_lines() -> bytes:
    rows = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
    return "\n\n".join(json.dumps(row) for row in rows).encode()


def written(path: Path) -> Path:
    name = path.name
    if name.endswith(".parquet"):
        pd.DataFrame(ROWS, columns=NAMES).to_parquet(path)
        return path
    data = json_lines() if "jsonl" in name else text("," if "csv" in name.lower() else "\t")
    path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    return path


def test_ids_are_row_numbers_where_none_are_named_and_features_keep_the_order_asked_for(
    tmp_path: Path,
) -> None:
    source = read_source(written(tmp_path / "t.csv"), label="kind", features=["b", "a"])
    assert source.ids == ["0", "1", "2"]
    assert source.columns == ("b", "a")
    assert source.x[0].tolist() == [2, 1.5]
    assert source.left_out == ("name", "note")


def test_prediction_needs_the_features_only(tmp_path: Path) -> None:
    path = tmp_path / "new.csv"
    path.write_text("b,extra,a\n2,7,1\n")
    source = read_source(str(path), features=("a", "b"), label="kind", need_labels=False)
    assert source.x.tolist() == [[1, 2]]
    assert source.labels is None
    assert source.left_out == ("extra",)
    assert source.warnings == ()


def test_a_saved_index_is_not_a_feature(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [4, 5], "label": ["x", "y"]}, index=[7, 9])
    frame.to_csv(tmp_path / "t.csv")
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_source(tmp_path / "t.csv", label="label").left_out == ("",)
    assert read_source(tmp_path / "t.parquet", label="label").left_out == ("__index_level_0__",)


def test_a_split_column_is_a_column_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("split,a,y\ntrain,1,u\ntest,2,v\n")
    source = read_source(tmp_path / "t.csv", label="y", part="test")
    assert len(source) == 2
    assert source.left_out == ("split",)


def test_a_column_of_image_files_is_read_relative_to_the_table(tmp_path: Path) -> None:
    (tmp_path / "pics").mkdir()
    for i in range(3):
        Image.new("L", (4, 2), 10 * i).save(tmp_path / "pics" / f"{i}.png")
    (tmp_path / "t.csv").write_text("file,a,y\npics/2.png,1,u\npics/0.png,2,\npics/2.png,3,v\n")
    source = read_source(tmp_path / "t.csv", label="y", image="file")
    assert (source.kind, source.x.shape) == ("images", (3, 2, 4, 1))
    assert source.x.dtype == np.uint8
    assert source.x[:, 0, 0, 0].tolist() == [20, 0, 20]
    assert source.labels == ["u", None, "v"]
    assert (source.ids, source.left_out) == (["0", "1", "2"], ("a",))


def read(path: Path, content: bytes | str | None = None, **options: Any) -> Source:
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_source(path, **{"label": "kind", "text": "said", **options})


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        ("said,kind\n,u\n ,v\n", {}, ["'said' holds no text in any row", "--text"]),
        ("said,kind\na,u\n", {"text": "sait"}, ["no column 'sait'", "did you mean 'said'"]),
        ("said,kind\na,u\n", {"text": "kind"}, ["'kind' is the label", "another one with --text"]),
        ("said,kind\na,u\n", {"image": "said"}, ["give --text or --image, not both"]),
        ("said,kind\na,u\n", {"features": ["said"]}, ["give --text or --features, not both"]),
        (
            "said,kind,x\na,u,1\n",
            {"features": ["x"], "image": "x"},
            ["--text or --image or --features, not all"],
        ),
    ],
)
def test_a_column_that_cannot_be_the_texts_is_refused(
    tmp_path: Path, content: str, options: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(ValueError, match=r"t\.csv: ") as said:
        read(tmp_path / "t.csv", content, **options)
    assert all(word in str(said.value) for word in words)


def test_a_table_of_texts_without_numbers_suggests_its_column(tmp_path: Path) -> None:
    content = "who,said it,split,kind\nann,one two three,train,u\nbob,four five six,test,v\n"
    with pytest.raises(ValueError, match=r"'said it' looks like text: name it with --text 'said it'$"):
        read(tmp_path / "t.csv", content, text=None)
    unspaced = f"said,kind\n{'猫' * 41},u\n{'犬' * 50},v\n"
    with pytest.raises(ValueError, match=r"name it with --text said$"):
        read(tmp_path / "t.csv", unspaced, text=None)
    with pytest.raises(ValueError, match=r"or name one of texts with --text or of image files with --image$"):
        read(tmp_path / "t.csv", "said,kind\na,u\nb c,v\n", text=None)


MARKED = "a,y,sure,camera\n1,u,1,left\n2,v,,left\n3,,0,right\n4,u,yes,\n"


def test_gold_labels_and_groups_are_columns_of_their_own_and_no_features(tmp_path: Path) -> None:
    source = read(tmp_path / "t.csv", MARKED, label="y", text=None, gold="sure", group="camera")
    assert source.gold == [True, False, False, True]
    assert source.groups == ["left", "left", "right", ""]
    assert (source.columns, source.left_out) == (("a",), ())
    unnamed = read(tmp_path / "t.csv", label="y", text=None)
    assert unnamed.gold is None
    assert unnamed.groups is None
    assert (unnamed.columns, unnamed.left_out) == (("a",), ("sure", "camera"))


@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "parquet"])
def test_truth_values_and_numbers_mark_gold_labels_in_every_format(tmp_path: Path, kind: str) -> None:
    frame = pd.DataFrame({"a": [1.0, 2], "y": ["u", "v"], "truth": [True, False], "one": [1.0, 0]})
    frame["word"] = ["Yes", "NO"]
    path = tmp_path / f"t.{kind}"
    write = {
        "csv": lambda: frame.to_csv(path, index=False),
        "tsv": lambda: frame.to_csv(path, index=False, sep="\t"),
        "jsonl": lambda: frame.to_json(path, orient="records", lines=True),
        "parquet": lambda: frame.to_parquet(path),
    }
    write[kind]()
    for column in ("truth", "one", "word"):
        assert read_source(path, label="y", features=["a"], gold=column).gold == [True, False]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"gold": "camera"}, ["column 'camera' holds 'left'", "--gold takes a column of yes and no"]),
        ({"gold": "shure"}, ["no column 'shure'", "did you mean 'sure'"]),
        ({"group": "cameras"}, ["no column 'cameras'", "did you mean 'camera'"]),
        ({"gold": "a", "features": ["a"]}, ["'a' is the one of --gold", "remove it from --features"]),
        ({"group": "a", "features": ["a"]}, ["'a' is the group", "remove it from --features"]),
    ],
)
def test_a_column_that_cannot_mark_labels_or_name_groups_is_refused(
    tmp_path: Path, options: dict[str, Any], words: list[str]
) -> None:
    with pytest.raises(ValueError, match=r"t\.csv: ") as said:
        read(tmp_path / "t.csv", MARKED, label="y", text=None, **options)
    assert all(word in str(said.value) for word in words)


@pytest.mark.parametrize("option", ["gold", "group"])
def test_only_a_table_has_gold_labels_and_groups(tmp_path: Path, option: str) -> None:
    np.savez(tmp_path / "t.npz", X=np.zeros((2, 1)), y=[0, 1])
    with pytest.raises(ValueError, match=rf"--{option}"):
        read_source(tmp_path / "t.npz", **{option: "y"})  # type: ignore[arg-type]
