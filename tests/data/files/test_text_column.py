"""A column of texts is read as it is, whatever its script, length and file."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from credprop.data import Source, column_names, read_source

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


TEXTS = [
    "Plain words, and a comma.",
    'Two\nlines, "quotes" and\r\na third',
    "שלום עולם",
    "猫が好き 👩‍🔬",
    "tab\there; a=b|c",
    "  spaces around  ",
    "NA",
    "12.50",
    "x" * 1_000_000,
    "{{ braces }} <script>",
]

LABELS = ["u", "v", None, "u", "v", None, "u", "v", "u", "v"]


def write(path: Path, texts: list[Any]) -> Path:
    """A table of the columns nr, said and kind."""
    numbers = range(len(texts))
    frame = pd.DataFrame({"nr": numbers, "said": texts, "kind": LABELS[: len(texts)]})
    name = path.name.removesuffix(".gz")
    if name.endswith(".parquet"):
        frame.to_parquet(path)
        return path
    if name.endswith(".jsonl"):
        rows = zip(numbers, texts, LABELS, strict=False)
        lines = [json.dumps({"nr": nr, "said": said, "kind": kind}) for nr, said, kind in rows]
        data = "\n".join(lines).encode()
    else:
        separator = "\t" if name.endswith(".tsv") else ","
        data = frame.to_csv(None, index=False, sep=separator, lineterminator="\n").encode()
    path.write_bytes(gzip.compress(data) if path.name.endswith(".gz") else data)
    return path


def read(path: Path, content: bytes | str | None = None, **options: Any) -> Source:
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_source(path, **{"label": "kind", "text": "said", **options})


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.csv.gz", "t.jsonl.gz"])
def test_every_format_gives_the_texts_as_they_are_in_the_order_of_the_file(tmp_path: Path, name: str) -> None:
    source = read(write(tmp_path / name, TEXTS), id_column="nr")
    assert (source.kind, source.x.dtype, source.x.shape) == ("text", np.dtype(object), (len(TEXTS),))
    assert source.x.tolist() == TEXTS
    assert all(type(text) is str for text in source.x)
    assert source.labels == LABELS
    assert source.ids == [str(i) for i in range(len(TEXTS))]
    assert (source.columns, source.left_out, source.warnings, len(source)) == ((), (), (), 10)
    assert read(tmp_path / name).left_out == ("nr",)
    assert column_names(tmp_path / name) == ("nr", "said", "kind")


def test_prediction_needs_the_column_of_texts_only(tmp_path: Path) -> None:
    source = read(tmp_path / "t.csv", "said\nhello\nworld\n", need_labels=False, part="test")
    assert source.x.tolist() == ["hello", "world"]
    assert source.labels is None


def test_a_split_column_is_read_too(tmp_path: Path) -> None:
    source = read(tmp_path / "t.csv", "split,said,kind\ntrain,hello,u\ntest,world,v\n", part="both")
    assert source.split == ["train", "test"]


def test_empty_texts_are_counted_and_the_first_is_named(tmp_path: Path) -> None:
    source = read(tmp_path / "t.csv", 'said,kind\na,u\n,v\n"  \n ",u\nb,v\n')
    assert source.x.tolist() == ["a", "", "", "b"]
    assert source.warnings == ("column 'said', row 2 is empty and read as empty text (rows like it: 2)",)
    missing = read(write(tmp_path / "t.parquet", ["a", None, "b"]))
    assert missing.x.tolist() == ["a", "", "b"]
    assert "row 2 is empty" in missing.warnings[0]
    lacking = read(tmp_path / "t.jsonl", '{"kind": "u"}\n{"said": null}\n{"said": "a"}\n{"said": NaN}')
    assert lacking.x.tolist() == ["", "", "a", ""]
    assert "row 1 is empty and read as empty text (rows like it: 3)" in lacking.warnings[0]


def test_numbers_become_their_text(tmp_path: Path) -> None:
    rows = [
        '{"said": 5}',
        '{"said": -1.5}',
        '{"said": true}',
        '{"said": 12345678901234567890}',
        '{"said": "x"}',
    ]
    source = read(tmp_path / "t.jsonl", "\n".join(rows), label=None, need_labels=False)
    assert source.x.tolist() == ["5", "-1.5", "True", "12345678901234567890", "x"]
    numbers = read(write(tmp_path / "t.parquet", [1, 2, 3]))
    assert numbers.x.tolist() == ["1", "2", "3"]


def test_half_a_character_is_replaced_and_named_and_a_zero_character_stays(tmp_path: Path) -> None:
    rows = r'{"said": "a\u0000b"}' + "\n" + r'{"said": "\ud83d\ude00"}' + "\n" + r'{"said": "x\ud800y\udc00"}'
    source = read(tmp_path / "t.jsonl", rows, label=None, need_labels=False)
    assert source.x.tolist() == ["a\0b", "😀", "x�y�"]
    assert source.warnings == (
        "column 'said', row 3 holds half a character (a lone surrogate), read as � (rows like it: 1)",
    )
    assert [text.encode() for text in source.x]


def test_bytes_of_a_parquet_file_are_read_as_utf_8(tmp_path: Path) -> None:
    table = pa.table({"said": pa.array(["é".encode(), b"b"], pa.binary()), "kind": ["u", "v"]})
    parquet.write_table(table, tmp_path / "t.parquet")
    assert read(tmp_path / "t.parquet").x.tolist() == ["é", "b"]


@pytest.mark.parametrize("kind", ["binary", "string"])
def test_bytes_that_are_no_text_are_refused_with_their_row(tmp_path: Path, kind: str) -> None:
    said = pa.array([b"a", b"\xe9", b"\xe8"], pa.binary())
    said = said.cast(pa.string(), safe=False) if kind == "string" else said
    parquet.write_table(pa.table({"said": said, "kind": ["u", "v", "u"]}), tmp_path / "t.parquet")
    with pytest.raises(ValueError, match=r"t\.parquet: column 'said', row 2 is not UTF-8; write it again"):
        read(tmp_path / "t.parquet")


@pytest.mark.parametrize("value", ['["a"]', '{"a": 1}'])
def test_lists_and_objects_are_no_texts(tmp_path: Path, value: str) -> None:
    with pytest.raises(
        ValueError, match=r"t\.jsonl: column 'said', row 2 is [\[{].*, not text; give a string"
    ):
        read(tmp_path / "t.jsonl", f'{{"said": "a", "kind": "u"}}\n{{"said": {value}, "kind": "v"}}')


def test_only_a_table_holds_texts(tmp_path: Path) -> None:
    advice = r"give a table \(\.csv, \.jsonl or \.parquet\) and name its column of texts with --text"
    np.savez(tmp_path / "t.npz", X=np.array(["one", "two"]), y=[0, 1])
    with pytest.raises(ValueError, match=rf"t\.npz: is an \.npz, in which text is not supported; {advice}"):
        read_source(tmp_path / "t.npz", text="X")
    with pytest.raises(ValueError, match=rf"'X' holds text, which is not supported in an \.npz; {advice}"):
        read_source(tmp_path / "t.npz")
    np.savez(tmp_path / "t.npz", X=np.array(["one", None], dtype=object), y=[0, 1])
    with pytest.raises(ValueError, match="put texts to learn from into a table"):
        read_source(tmp_path / "t.npz")
    with pytest.raises(ValueError, match="is a folder of images, in which text is not"):
        read_source(tmp_path, text="said")
    assert column_names(tmp_path / "t.npz") == column_names(tmp_path) == ()
