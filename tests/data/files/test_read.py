"""Any problem with a file or folder is reported in one line: where, what, and what to do about it."""

import gzip
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from credprop.data import read_source

GOOD = b"id,a,b,y\nr,1,2,cat\ns,3,4,dog\nt,5,6,\n"
X = np.arange(8.0).reshape(4, 2)
Y = np.array([0, 1, -1, 0])


def csv(data: bytes | str, name: str = "t.csv", **options: Any) -> Any:
    """A table, read with the label column y by default."""

    def build(folder: Path) -> tuple[Path, dict[str, Any]]:
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return folder / name, {"label": "y", **options}

    return build


def npz(options: dict[str, Any] | None = None, /, **arrays: Any) -> Any:
    def build(folder: Path) -> tuple[Path, dict[str, Any]]:
        np.savez(folder / "t.npz", **arrays)
        return folder / "t.npz", options or {}

    return build


def cut(name: str, share: float = 0.6) -> Any:
    """A file of this kind of which the end is missing."""

    def build(folder: Path) -> tuple[Path, dict[str, Any]]:
        file = io.BytesIO()
        if name.endswith("parquet"):
            pd.DataFrame({"a": range(99), "y": range(99)}).to_parquet(file)
        elif name.endswith("npz"):
            np.savez(file, X=X, y=Y)
        else:
            file.write(gzip.compress(GOOD * 9))
        data = file.getvalue()
        (folder / name).write_bytes(data[: int(len(data) * share)])
        return folder / name, {"label": "y"}

    return build


def images(names: str, sizes: str = "", **options: Any) -> Any:
    """A folder of images of 4 x 2 pixels by default, broken where the size is 0."""

    def build(folder: Path) -> tuple[Path, dict[str, Any]]:
        widths = [int(size) for size in sizes.split()] or [4] * len(names.split())
        for name, width in zip(names.split(), widths, strict=True):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            Image.new("RGB", (width or 4, 2)).save(folder / name)
            if not width:
                (folder / name).write_bytes((folder / name).read_bytes()[:40])
        return folder, options

    return build


def flipped_byte(folder: Path) -> tuple[Path, dict[str, Any]]:
    path, options = npz(X=X, y=Y)(folder)
    data = bytearray(path.read_bytes())
    data[data.index(b"NUMPY") + 140] ^= 1
    path.write_bytes(data)
    return path, options


def single_array(folder: Path) -> tuple[Path, dict[str, Any]]:
    with (folder / "t.npz").open("wb") as file:
        np.save(file, X)
    return folder / "t.npz", {}


def folder_named_csv(folder: Path) -> tuple[Path, dict[str, Any]]:
    (folder / "t.csv").mkdir()
    return folder / "t.csv", {"label": "y"}


def file_as_folder(folder: Path) -> tuple[Path, dict[str, Any]]:
    (folder / "t.csv").write_bytes(GOOD)
    return folder / "t.csv" / "u.csv", {"label": "y"}


def link_to_itself(folder: Path) -> tuple[Path, dict[str, Any]]:
    (folder / "t.csv").symlink_to(folder / "t.csv")
    return folder / "t.csv", {"label": "y"}


def thirty_two_bits(folder: Path) -> tuple[Path, dict[str, Any]]:
    path, options = images("a/1.png b/1.png")(folder)
    Image.fromarray(np.ones((2, 4), dtype=np.float32)).save(folder / "a" / "2.tiff")
    return path, options


def table_of_images(value: str) -> Any:
    def build(folder: Path) -> tuple[Path, dict[str, Any]]:
        Image.new("L", (2, 2)).save(folder / "1.png")
        (folder / "t.csv").write_text(f"f,y\n1.png,cat\n{value},dog\n")
        return folder / "t.csv", {"label": "y", "image": "f"}

    return build


def object_array(values: list[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


# What it is, how to make it, what the message must name, and what it must advise.
BAD: list[tuple[str, Any, list[str], str]] = [
    # files
    ("no such file", lambda folder: (folder / "no.csv", {}), ["no.csv"], "check the path"),
    ("folder for a file", folder_named_csv, ["t.csv", "is a folder"], "name a file"),
    ("file for a folder", file_as_folder, ["u.csv", "cannot be read"], "check"),
    ("link to itself", link_to_itself, ["t.csv", "cannot be read"], "check"),
    ("unknown ending", csv(GOOD, "t.xlsx"), ["t.xlsx"], ".parquet"),
    ("no ending", csv(GOOD, "t"), ["unsupported file type"], ".csv"),
    ("empty csv", csv(b""), ["t.csv", "is empty"], "at least one row"),
    ("empty csv.gz", csv(b"", "t.csv.gz"), ["t.csv.gz", "is empty"], "at least one row"),
    ("blank csv", csv(b"\xef\xbb\xbf \n\n"), ["is empty"], "at least one row"),
    ("empty jsonl", csv(b"\n", "t.jsonl"), ["is empty"], "give"),
    ("empty parquet", csv(b"", "t.parquet"), ["t.parquet", "is empty"], "write"),
    ("empty npz", csv(b"", "t.npz"), ["t.npz", "is empty"], "numpy.savez"),
    ("header only", csv(b"a,b,y\n"), ["no rows"], "at least one row"),
    ("latin 1", csv("a,y\n1,cat\n2,Bär\n".encode("latin-1")), ["line 3", "byte 13"], "save it as UTF-8"),
    ("utf-16", csv(GOOD.decode().encode("utf-16")), ["UTF-16"], "save it as UTF-8"),
    ("utf-16 unmarked", csv(GOOD.decode().encode("utf-16-le")), ["null bytes"], "save it as UTF-8"),
    ("latin 1 jsonl", csv('{"y": "Bär"}'.encode("latin-1"), "t.jsonl"), ["line 1"], "save it as UTF-8"),
    ("truncated gz", cut("t.csv.gz"), ["t.csv.gz", "damaged"], "again"),
    ("no gz", csv(GOOD, "t.csv.gz"), ["damaged"], "again"),
    ("truncated parquet", cut("t.parquet"), ["t.parquet", "damaged"], "write it again"),
    ("no parquet", csv(GOOD, "t.parquet"), ["damaged"], "write it again"),
    ("truncated npz", cut("t.npz"), ["t.npz", "damaged"], "write it again"),
    ("no npz", csv(GOOD, "t.npz"), ["damaged"], "write it again"),
    # the shape of tables
    ("row too long", csv(GOOD + b"u,1,2,cat,7\n"), ["row 4", "5 fields", "header 4"], "fix the row"),
    ("first row too long", csv(b"a,y\n1,2,3\n4,5,6\n"), ["row 1", "3 fields", "header 2"], "fix the row"),
    ("row too short", csv(GOOD + b"u,1\n"), ["row 4", "2 fields"], "fix the row"),
    ("quote never closed", csv(b'a,y\n1,cat\n2,"dog\n3,cat\n'), ["row 2", "quote"], "close it"),
    ("two columns alike", csv(b"a,b,a,y\n1,2,3,4\n"), ["columns 1 and 3", "'a'"], "its own name"),
    ("two columns unnamed", csv(b",a,,y\n1,2,3,4\n"), ["columns 1 and 3", "no name"], "its own name"),
    ("semicolons", csv(b"a;b;y\n1;2;cat\n"), ["';'"], "use ','"),
    ("no json", csv('{"y": 1}\n{"y": \n', "t.jsonl"), ["t.jsonl:2"], "one object {...} per line"),
    ("json array", csv("[1, 2]\n", "t.jsonl"), ["t.jsonl:1", "list"], "one object {...} per line"),
    (
        "json key twice",
        csv('{"y": 1, "y": 2}\n', "t.jsonl"),
        ["t.jsonl:1", "duplicate key 'y'"],
        "one object",
    ),
    ("json objects without keys", csv("{}\n{}\n", "t.jsonl"), ["no rows"], "at least one row"),
    # what columns are for
    ("no label named", csv(GOOD, label=None), ["label", "'id', 'a', 'b', 'y'"], "--label"),
    ("unknown label", csv(GOOD, label="zzz"), ["'zzz'", "'id', 'a', 'b', 'y'"], "--label"),
    ("label misspelled", csv(b"a,label\n1,2\n", label="labels"), ["'labels'"], "did you mean 'label'"),
    ("unknown id", csv(GOOD, id_column="nr"), ["'nr'"], "--id"),
    ("unknown image", csv(GOOD, image="pic"), ["'pic'"], "--image"),
    ("unknown feature", csv(GOOD, features=["a", "q"]), ["'q'"], "--features"),
    ("features gone", csv(GOOD, features=["q", "a", "r"], need_labels=False), ["'q', 'r'"], "add"),
    ("label as feature", csv(GOOD, features=["a", "y"]), ["'y' is the label"], "--features"),
    ("id as feature", csv(GOOD, features=["id"], id_column="id"), ["'id' is the id"], "--features"),
    ("label as id", csv(GOOD, id_column="y"), ["'y' is the label"], "--id"),
    ("feature twice", csv(GOOD, features=["a", "b", "a"]), ["'a'", "already"], "--features"),
    ("image and features", csv(GOOD, features=["a"], image="id"), ["--image"], "not both"),
    ("feature of text", csv(b"a,y\n1,u\nx7,v\n", features=["a"]), ["'a'", "row 2", "'x7'"], "--features"),
    ("empty feature", csv(b"a,b,y\n1,,u\n2,,v\n", features=["b"]), ["'b'", "empty"], "--features"),
    ("no feature", csv(b"t,y\nfoo,u\nbar,v\n"), ["'t', 'y'", "numeric"], "add numeric columns"),
    ("hole in a feature", csv(b"a,y\n1,u\n,v\n3,u\n"), ["'a'", "row 2", "empty"], "fill it in"),
    ("NA in a feature", csv(b"a,y\n1,u\n2,v\nNA,u\n"), ["'a'", "row 3"], "drop the row"),
    ("NaN in a feature", csv(b"a,y\n1,u\nnan,v\n"), ["'a'", "row 2", "NaN"], "fill it in"),
    ("infinity", csv(b"a,y\n1,u\n-inf,v\n"), ["'a'", "row 2", "-inf"], "drop the row"),
    ("infinity in a chosen feature", csv(b"a,y\ninf,u\n2,v\n", features=["a"]), ["row 1", "inf"], "drop"),
    ("beyond 32 bits", csv(b"a,y\n1,u\n1e39,v\n"), ["'a'", "row 2", "1e+39"], "--features"),
    ("beyond 64 bits", csv('{"a": 1%s, "y": 1}' % ("0" * 400), "t.jsonl"), ["'a'", "row 1"], "--features"),
    ("null in jsonl", csv('{"a": 1, "y": 1}\n{"y": 2}', "t.jsonl"), ["'a'", "row 2"], "fill it in"),
    # labels and ids
    ("labels -1 and 1", csv(b"a,y\n1,1\n2,-1\n"), ["'y'", "-1 looks like a class"], "--unlabeled"),
    ("labels -1, 1, none", csv(b"a,y\n1,1\n2,-1\n3,\n"), ["-1 looks like a class"], "--unlabeled"),
    ("json -1 and 1", csv('{"a":1,"y":1}\n{"a":2,"y":-1}', "t.jsonl"), ["-1 looks"], "--unlabeled"),
    (
        "mixed labels",
        csv('{"a":1,"y":3}\n{"a":2,"y":null}\n{"a":2,"y":"cat"}', "t.jsonl"),
        ["'y'", "row 1 is a number (3)", "row 3 is text ('cat')"],
        "the same way",
    ),
    ("truth and numbers", csv('{"a":1,"y":3}\n{"a":2,"y":true}', "t.jsonl"), ["row 2"], "the same way"),
    ("label a list", csv('{"a":1,"y":[3]}', "t.jsonl"), ["'y'", "row 1", "list"], "text or as numbers"),
    ("ids alike", csv(GOOD + b"s,1,1,cat\n", id_column="id"), ["'s'", "row 2", "row 4"], "a unique id"),
    ("id missing", csv(GOOD + b",1,1,cat\n", id_column="id"), ["'id'", "row 4"], "every row an id"),
    # arrays
    ("no X", npz(a=X, y=Y), ["'a', 'y'", "'X'", "'x_train'"], "save X and y"),
    ("no array", npz(), ["no array"], "save X and y"),
    ("no y", npz(X=X), ["'y'", "'X'"], "--label"),
    ("no test part", npz({"part": "test"}, x_train=X, y_train=Y), ["'x_test'"], "save"),
    (
        "no test rows",
        npz({"part": "test"}, X=X, y=Y, split=["train"] * 4),
        ["'split'", "'test'"],
        "mark some",
    ),
    ("no such label array", npz({"label": "z"}, X=X, y=Y), ["'z'"], "--label"),
    ("no such id array", npz({"id_column": "z"}, X=X, y=Y), ["'z'"], "--id"),
    ("lengths differ", npz(X=X, y=Y[:3]), ["'y'", "(3,)", "4 rows"], "one value per row"),
    ("one-hot labels", npz(X=X, y=np.eye(4)), ["'y'", "(4, 4)"], "one value per row"),
    ("ragged rows", npz(X=object_array([[1], [2, 3]]), y=Y[:2]), ["'X'"], "numbers of one shape"),
    ("objects as labels", npz(X=X, y=object_array(["u", None, "v", "u"])), ["'y'"], "as text with ''"),
    ("one dimension", npz(X=X[:, 0], y=Y), ["'X'", "(4,)"], "vectors (n, d)"),
    ("three dimensions", npz(X=X[:, :, None], y=Y), ["(4, 2, 1)"], "(n, h, w, c)"),
    ("seven channels", npz(X=np.zeros((4, 7, 7, 7)), y=Y), ["(4, 7, 7, 7)"], "c = 1, 3 or 4"),
    ("no rows", npz(X=X[:0], y=Y[:0]), ["'X'", "(0, 2)"], "at least one row"),
    ("no columns", npz(X=X[:, :0], y=Y), ["'X'", "(4, 0)"], "one column"),
    ("text as vectors", npz(X=X.astype(str), y=Y), ["'X'", "<U"], "float32"),
    ("complex vectors", npz(X=X + 1j, y=Y), ["complex128"], "float32"),
    ("NaN in vectors", npz(X=np.where(X == 5, np.nan, X), y=Y), ["X[2, 1]", "nan"], "fill it in"),
    (
        "NaN in the part",
        npz({"part": "test"}, X=np.where(X == 7, np.nan, X), y=Y, split=["train", "test"] * 2),
        ["X[3, 1]"],
        "drop the row",
    ),
    ("infinity in vectors", npz(X=np.where(X == 4, np.inf, X), y=Y), ["X[2, 0]", "inf"], "drop the row"),
    ("bright floats", npz(X=np.full((4, 2, 2, 3), 255.0), y=Y), ["0", "255"], "uint8"),
    ("NaN in images", npz(X=np.full((4, 2, 2, 3), np.nan), y=Y), ["nan"], "floats in [0, 1]"),
    ("wide integers", npz(X=np.zeros((4, 2, 2, 3), dtype=int), y=Y), ["int64"], "uint8"),
    ("array labels -1 and 1", npz(X=X, y=[1, -1, 1, 1]), ["'y'", "-1 looks"], "--unlabeled"),
    ("array ids alike", npz(X=X, y=Y, ids=list("abca")), ["'ids'", "'a'", "row 4"], "a unique id"),
    ("damaged array", flipped_byte, ["t.npz", "damaged"], "write it again"),
    ("single array", single_array, ["t.npz"], "numpy.savez"),
    ("features of arrays", npz({"features": ["a"]}, X=X, y=Y), [".npz", "--features"], "leave it out"),
    # images
    ("no images", lambda folder: (folder, {}), ["no images"], "CLASS/file"),
    ("one class", images("cat/1.png cat/2.png"), ["only one class, 'cat'"], "folder of its own"),
    ("one class, rest unlabeled", images("cat/1.png unlabeled/2.png"), ["'cat'"], "folder of its own"),
    ("nothing labeled", images("unlabeled/1.png"), ["no class", "'unlabeled'"], "folder of its own"),
    ("flat folder", images("1.png 2.png"), ["no class"], "folder of its own"),
    ("broken image", images("a/1.png b/2.png", "4 0"), ["b/2.png", "damaged"], "replace"),
    ("mixed sizes", images("a/1.png b/2.png", "4 6"), ["2.png: is 6 x 2", "1.png' is 4 x 2"], "one size"),
    ("32-bit image", thirty_two_bits, ["a/2.tiff", "32-bit"], "8 bits"),
    ("id of a folder", images("a/1.png b/1.png", id_column="f"), ["--id"], "leave it out"),
    ("image file gone", table_of_images("2.png"), ["'f'", "row 2", "2.png"], "relative to the table"),
    ("image not named", table_of_images(""), ["'f'", "row 2"], "path of its image"),
    ("no image in a table", table_of_images("t.csv"), ["t.csv", "not an image"], "replace"),
]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("build", "named", "advice"), [pytest.param(*bad[1:], id=bad[0]) for bad in BAD])
def test_bad_input_is_one_line_that_says_where_what_and_what_to_do(
    tmp_path: Path, build: Callable[[Path], tuple[Path, dict[str, Any]]], named: list[str], advice: str
) -> None:
    path, options = build(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(ValueError, match=r"\S") as caught:
        read_source(path, **options)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert str(tmp_path) in message
    for word in [*named, advice]:
        assert word in message
    assert contents(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    path, options = csv(GOOD)(tmp_path)
    path.chmod(0)
    with pytest.raises(ValueError, match=r"t\.csv: cannot be read: Permission denied; check the path"):
        read_source(path, **options)


def test_long_values_and_many_columns_are_cut_short(tmp_path: Path) -> None:
    names = ",".join(f"column{i}" for i in range(999))
    path, options = csv(f"{names}\n", label="zzz")(tmp_path)
    path.write_text(f"{names}\n{','.join('1' * 999)}\n")
    with pytest.raises(ValueError, match="and 987 more") as caught:
        read_source(path, **options)
    assert len(str(caught.value)) < 500 + len(str(tmp_path))
