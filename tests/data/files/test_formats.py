"""Every format gives the same table, however it is written; a bad byte is named by its position."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

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


def test_categories_of_pandas_are_read_by_value(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "y": pd.Categorical(["u", "v", None])})
    frame.to_parquet(tmp_path / "t.parquet")
    assert read_source(tmp_path / "t.parquet", label="y").labels == ["u", "v", None]


def test_keys_that_rows_of_jsonl_lack_are_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"a": 1, "y": "u"}\n{"a": 2}\n{"y": "v", "a": 3, "t": [1]}\n')
    source = read_source(tmp_path / "t.jsonl", label="y")
    assert source.labels == ["u", None, "v"]
    assert source.left_out == ("t",)


def read(path: Path, content: bytes | str | None = None, **options: Any) -> Source:
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_source(path, **{"label": "kind", "text": "said", **options})


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    source = read(tmp_path / "t.csv", b"\xef\xbb\xbfsaid,kind\r\n\xc3\xa9t\xc3\xa9,u\r\n\xe7\x8c\xab,v\r\n")
    assert source.x.tolist() == ["été", "猫"]


# How a byte that is not UTF-8 is placed, and what the message must say about it.
MISPLACED = [
    (b'said,kind\n"one\ntwo",u\n"x\n\n y\xe9z",v\n', "row 2, line 6, byte 28"),
    (b'said,kind\n5" wide,u\n\nsecond,v\nthird,\xe9\n', "row 3, line 5, byte 36"),
    (b"said\xe9,kind\na,u\n", "the header, line 1, byte 4"),
    (b"said,kind\na,u\n\xe9,v\n", "row 2, line 3, byte 14"),
    (b"said,kind\na,u\nb,v\xe9", "row 2, line 3, byte 17"),
]


@pytest.mark.parametrize(("content", "place"), MISPLACED)
def test_a_byte_that_is_not_utf_8_is_named_by_row_line_and_byte(
    tmp_path: Path, content: bytes, place: str
) -> None:
    with pytest.raises(ValueError, match=r"t\.csv: is not UTF-8") as said:
        read(tmp_path / "t.csv", content)
    assert f"({place}); save it as UTF-8" in str(said.value)
    with pytest.raises(ValueError, match=r"t\.csv: holds null bytes") as said:
        read(tmp_path / "t.csv", content.replace(b"\xe9", b"\0"))
    assert f"({place})" in str(said.value)


def test_a_row_of_jsonl_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"row 2, line 3, byte 32"):
        read(tmp_path / "t.jsonl", b'{"said": "a", "kind":"u"}\n\n{"kin\xe9')
