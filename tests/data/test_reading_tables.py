"""Tables come in as they are: features, labels and ids from every format, in the order of the file."""

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from credprop.data import read_source

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


@pytest.mark.parametrize(
    "name",
    ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.csv.gz", "t.tsv.gz", "t.jsonl.gz", "T.CSV"],
)
def test_every_format_gives_the_same_table(tmp_path: Path, name: str) -> None:
    source = read_source(written(tmp_path / name), label="kind", id_column="name")
    assert source.kind == "vectors"
    assert source.x.dtype == np.float32
    assert source.x.tolist() == [[1.5, 2], [-1, 3], [0, 5]]
    assert source.labels == ["cat", None, "dog"]
    assert source.ids == ["u", "v", "w"]
    assert (source.columns, source.left_out, source.warnings) == (("a", "b"), ("note",), ())


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


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbflabel,a\nx,1\ny,2\n",
        b"label,a\r\nx,1\r\ny,2\r\n",
        b"\nlabel,a\nx,1\n\ny,2",
        b'"label","a"\n"x","1"\n"y",2\n',
        b"label,a\nx, 1\ny, 2\n",
        b"label,a\nx,1\ny,+2\n",
        b"label,a\n x ,1\ny, 2\n",
    ],
    ids=["byte order mark", "windows", "blank lines", "quotes", "spaces", "plus", "spaces in labels"],
)
def test_ways_to_write_a_csv_do_not_matter(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    source = read_source(tmp_path / "t.csv", label="label")
    assert source.columns == ("a",)
    assert source.x.tolist() == [[1], [2]]
    assert source.labels == ["x", "y"]


def test_text_in_quotes_may_hold_separators_quotes_and_line_ends(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('label,a,t\n"x, ""the"" first",1,"one\ntwo"\ny,2,5" wide\n')
    source = read_source(tmp_path / "t.csv", label="label")
    assert source.labels == ['x, "the" first', "y"]
    assert source.left_out == ("t",)


def test_truth_values_count_as_numbers(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [True, False], "label": ["x", "y"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    for name in ("t.csv", "t.parquet", "t.jsonl"):
        assert read_source(tmp_path / name, label="label").x.tolist() == [[1], [0]]


def test_an_index_that_was_written_along_is_no_feature(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [4, 5], "label": ["x", "y"]}, index=[7, 9])
    frame.to_csv(tmp_path / "t.csv")
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_source(tmp_path / "t.csv", label="label").left_out == ("",)
    assert read_source(tmp_path / "t.parquet", label="label").left_out == ("__index_level_0__",)


def test_an_empty_column_and_a_column_of_dates_are_left_out(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"a": [4, 5], "e": [None, None], "d": pd.to_datetime(["2020-01-01"] * 2), "y": [0, 1]}
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    for name in ("t.csv", "t.parquet"):
        assert read_source(tmp_path / name, label="y").left_out == ("e", "d")


def test_a_split_column_is_a_column_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("split,a,y\ntrain,1,u\ntest,2,v\n")
    source = read_source(tmp_path / "t.csv", label="y", part="test")
    assert len(source) == 2
    assert source.left_out == ("split",)


def test_categories_of_pandas_are_read_by_value(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "y": pd.Categorical(["u", "v", None])})
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_source(tmp_path / "t.parquet", label="y").labels == ["u", "v", None]


def test_keys_that_rows_of_jsonl_lack_are_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": 1, "y": "u"}\n{"a": 2}\n{"y": "v", "a": 3, "t": [1]}\n')
    source = read_source(tmp_path / "t.jsonl", label="y")
    assert source.labels == ["u", None, "v"]
    assert source.left_out == ("t",)


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
