"""The input of `credprop fit`: wrong data or options give one error line and write nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from cli.shell import arrays, contents, credprop, error_line, fit, frame, image_folder, table


def written(name: str, content: bytes | str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder / name

    return write


def changed(**columns: Any) -> Callable[[Path], Path]:
    return lambda folder: table(folder, **columns)


def cut(make: Callable[[Path], Path]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = make(folder)
        path.write_bytes(path.read_bytes()[:-99])
        return path

    return write


def damaged_images(harm: Callable[[Path], object]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        harm(image_folder(folder))
        return folder / "images"

    return write


def one_class(folder: Path) -> Path:
    for i in range(3):
        (folder / "images" / "cat").mkdir(parents=True, exist_ok=True)
        Image.new("L", (4, 4)).save(folder / "images" / "cat" / f"{i}.png")
    return folder / "images"


DATA: dict[str, tuple[Callable[[Path], Path], list[object], str]] = {
    "missing file": (lambda folder: folder / "no.csv", ["--label", "y"], "no such file"),
    "empty file": (written("t.csv", ""), [], "is empty"),
    "empty parquet": (written("t.parquet", ""), [], "is empty"),
    "unknown kind": (written("t.xlsx", "a"), [], "unsupported file type"),
    "header only": (written("t.csv", "a,y\n"), [], "no rows"),
    "unknown column": (table, ["--label", "z"], "no column 'z'"),
    "unknown feature": (table, ["--features", "z"], "no column 'z'"),
    "unknown image": (table, ["--image", "z"], "no column 'z'"),
    "unknown id": (table, ["--id", "z"], "no column 'z'"),
    "feature of text": (table, ["--features", "name"], "not numeric"),
    "one class": (changed(y="cat"), [], "one class"),
    "no label": (changed(y=None), [], "no row has a label"),
    "labels -1 and 1": (changed(y=[-1, 1] * 30), [], "--unlabeled"),
    "one row": (written("t.csv", "a,y\n1,cat\n"), [], "minimum of 2"),
    "infinity": (changed(a=np.inf), [], "not a finite"),
    "NaN": (changed(a=[np.nan, *range(59)]), [], "row 1"),
    "ragged": (written("t.csv", "a,y\n1,cat\n2,dog,3\n"), [], "row 2 has 3 fields"),
    "mixed labels": (written("t.jsonl", '{"a":1,"y":1}\n{"a":2,"y":"b"}\n'), [], "mixes types"),
    "gold of words": (changed(b="left"), ["--gold", "b"], "--gold takes a column of yes and no"),
    "gold without a label": (changed(b=1), ["--gold", "b"], "gold marks row 24, which has no label"),
    "unknown gold": (table, ["--gold", "z"], "no column 'z'"),
    "unknown group": (table, ["--group", "z"], "no column 'z'"),
    "gold of an npz": (arrays, ["--gold", "y"], "--gold"),
    "group of images": (image_folder, ["--group", "y"], "--group"),
    "gold as a feature": (table, ["--gold", "a", "--features", "a"], "remove it from --features"),
    "unknown metric": (table, ["--metric", "f1"], "unknown metric 'f1'"),
    "no confidence": (table, ["--confidence", "0"], "confidence is 0"),
    "ids alike": (changed(name="same"), ["--id", "name"], "a unique id"),
    "latin 1": (written("t.csv", "a,y\n1,Bär\n".encode("latin-1")), [], "UTF-8"),
    "truncated parquet": (cut(lambda folder: table(folder, "t.parquet")), [], "damaged"),
    "truncated npz": (cut(arrays), [], "damaged"),
    "npz without y": (lambda folder: arrays(folder, y_train=np.zeros(3)), [], "one value per row"),
    "NaN in an npz": (lambda folder: arrays(folder, x_train=np.full((60, 4), np.nan)), [], "nan"),
    "broken image": (damaged_images(lambda f: (f / "red/00.png").write_bytes(b"\x89PNG")), [], "00.png"),
    "mixed sizes": (
        damaged_images(lambda f: Image.new("RGB", (3, 6)).save(f / "red" / "00.png")),
        [],
        "one size",
    ),
    "folder with one class": (one_class, [], "one class"),
    "folder without images": (lambda folder: folder, [], "no images"),
    "unknown preset": (table, ["--preset", "best"], "unknown preset 'best'"),
    "preset for images": (table, ["--preset", "cifar10"], "cannot take samples"),
    "unknown encoder": (table, ["--encoder", "big"], "unknown encoder 'big'"),
    "encoder for images": (table, ["--encoder", "resnet-small"], "takes images, the rows are vectors"),
    "encoder for vectors": (image_folder, ["--encoder", "mlp"], "takes vectors, the rows are images"),
    "encoder not to import": (table, ["--encoder", "no.such:thing"], "cannot import"),
    "encoder with arguments": (table, ["--encoder", "torch.nn:Linear"], "needs arguments"),
    "encoder that is none": (table, ["--encoder", "builtins:dict"], "nn.Module"),
    "unknown device": (table, ["--device", "abacus"], "device 'abacus'"),
    "device without number": (table, ["--device", "cpu:x"], "device 'cpu:x'"),
    "budget zero": (table, ["--budget", "0"], "budget is 0"),
    "budget below zero": (table, ["--budget", "-1"], "budget is -1"),
    "budget nan": (table, ["--budget", "nan"], "budget is nan"),
    "budget infinite": (table, ["--budget", "inf"], "budget is inf"),
}


@pytest.mark.parametrize("kind", DATA)
@pytest.mark.parametrize("quiet", [False, True], ids=["loud", "quiet"])
def test_wrong_data_and_choices_leave_no_folder(tmp_path: Path, kind: str, quiet: bool) -> None:
    make, options, words = DATA[kind]
    data = make(tmp_path)
    before = contents(tmp_path)
    result = fit(data, tmp_path / "runs" / "run", *options, *(["--quiet"] if quiet else []))
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("note: ")]
    assert len(lines) == 1
    assert words in lines[0]
    assert contents(tmp_path) == before
    assert not (tmp_path / "runs").exists()


def test_a_table_needs_its_label_named(tmp_path: Path) -> None:
    message = error_line(credprop("fit", table(tmp_path), "--out", tmp_path / "run"))
    assert "name the label column with --label; there are 'name', 'a', 'b', 'c', 'd', 'y'" in message


def without(column: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        frame().drop(columns=column).to_csv(folder / "u.csv", index=False)
        return folder / "u.csv"

    return write


TESTS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "unknown class": (lambda folder: table(folder, "u.csv", y="cow"), "the class 'cow'"),
    "other columns": (without("b"), "no column 'b'"),
    "no label column": (without("y"), "no column 'y'"),
    "no labels": (lambda folder: table(folder, "u.csv", y=None), "no labeled row"),
    "missing": (lambda folder: folder / "no.csv", "no such file"),
    "of images": (image_folder, "holds images"),
}


@pytest.mark.parametrize("kind", TESTS)
def test_a_wrong_test_file_is_refused_before_training(tmp_path: Path, kind: str) -> None:
    make, words = TESTS[kind]
    assert words in error_line(fit(table(tmp_path), tmp_path / "run", "--test", make(tmp_path)))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("out", "words"),
    [
        ("t.csv", "is a file"),
        ("t.csv/run", "cannot be written"),
        ("/proc/run", "cannot be written"),
        ("x" * 300, "cannot be written"),
    ],
)
def test_an_output_folder_that_cannot_be_written_is_named(tmp_path: Path, out: str, words: str) -> None:
    assert words in error_line(fit(table(tmp_path), tmp_path / out, "--quiet"))
    assert sorted(contents(tmp_path)) == ["t.csv"]


def test_the_config_of_a_run_says_how_to_read_its_data_again(finished: Path) -> None:
    data = json.loads((finished / "config.json").read_text())["data"]
    assert data["path"] == str(finished.parent / "t.csv")
    assert (data["label"], data["id_column"], data["features"]) == ("y", "name", list("abcd"))
