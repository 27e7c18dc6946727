"""Whatever is wrong with a call or its input: exit status 2, one line, and nothing is written."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from cli.shell import arrays, contents, credprop, error_line, fit, frame, pictures, sealed, table


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


def harmed_pictures(harm: Callable[[Path], object]) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        harm(pictures(folder))
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
    "unknown kind": (written("t.xlsx", "a"), [], "known kind"),
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
    "infinity": (changed(a=np.inf), [], "not finite"),
    "NaN": (changed(a=[np.nan, *range(59)]), [], "row 1"),
    "ragged": (written("t.csv", "a,y\n1,cat\n2,dog,3\n"), [], "row 2 has 3 fields"),
    "mixed labels": (written("t.jsonl", '{"a":1,"y":1}\n{"a":2,"y":"b"}\n'), [], "mixes kinds"),
    "ids alike": (changed(name="same"), ["--id", "name"], "its own id"),
    "latin 1": (written("t.csv", "a,y\n1,Bär\n".encode("latin-1")), [], "UTF-8"),
    "truncated parquet": (cut(lambda folder: table(folder, "t.parquet")), [], "damaged"),
    "truncated npz": (cut(arrays), [], "damaged"),
    "npz without y": (lambda folder: arrays(folder, y_train=np.zeros(3)), [], "one value a row"),
    "NaN in an npz": (lambda folder: arrays(folder, x_train=np.full((60, 4), np.nan)), [], "nan"),
    "broken image": (harmed_pictures(lambda f: (f / "red/00.png").write_bytes(b"\x89PNG")), [], "00.png"),
    "mixed sizes": (
        harmed_pictures(lambda f: Image.new("RGB", (3, 6)).save(f / "red" / "00.png")),
        [],
        "one size",
    ),
    "folder with one class": (one_class, [], "one class"),
    "folder without images": (lambda folder: folder, [], "no images"),
    "unknown preset": (table, ["--preset", "best"], "unknown preset 'best'"),
    "preset for images": (table, ["--preset", "cifar10"], "cannot take samples"),
    "unknown encoder": (table, ["--encoder", "big"], "no encoder is named 'big'"),
    "encoder for images": (table, ["--encoder", "resnet-small"], "takes images, the rows are vectors"),
    "encoder for vectors": (pictures, ["--encoder", "mlp"], "takes vectors, the rows are images"),
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
    assert "name it with --label: 'name', 'a', 'b', 'c', 'd', 'y'" in message


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
    "of images": (pictures, "holds images"),
}


@pytest.mark.parametrize("kind", TESTS)
def test_a_wrong_test_file_is_refused_before_the_work(tmp_path: Path, kind: str) -> None:
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
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, out: str, words: str) -> None:
    assert words in error_line(fit(table(tmp_path), tmp_path / out, "--quiet"))
    assert sorted(contents(tmp_path)) == ["t.csv"]


CALLS: list[list[object]] = [
    ["fit"],
    ["fit", "t.csv"],
    ["fit", "t.csv", "--out", "run", "--nope"],
    ["fit", "t.csv", "--out", "run", "--seed", "-1"],
    ["fit", "t.csv", "--out", "run", "--seed", "many"],
    ["fit", "t.csv", "--out", "run", "--seed", 2**32],
    ["fit", "t.csv", "--out", "run", "--budget", "much"],
    ["fit", "t.csv", "u.csv", "--out", "run"],
    ["predict", "run"],
    ["predict", "run", "t.csv"],
    ["learn", "t.csv"],
    ["list"],
    ["--nope"],
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: " ".join(map(str, call)))
def test_a_wrong_call_is_explained_in_six_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: list[object]
) -> None:
    monkeypatch.chdir(tmp_path)
    result = credprop(*call)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert 0 < len(result.stderr.splitlines()) <= 6
    assert not list(tmp_path.iterdir())


def test_listing_what_is_not_listed_names_what_is() -> None:
    message = error_line(credprop("list", "planets"))
    for what in ("presets", "encoders", "methods", "scenarios", "datasets"):
        assert what in message


RUNS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no weights": (lambda run: (run / "model.safetensors").unlink(), "model.safetensors"),
    "damaged weights": (lambda run: (run / "model.safetensors").write_bytes(b"\0" * 9000), "damaged"),
    "no config": (lambda run: (run / "config.json").unlink(), "no config.json"),
    "unreadable": (lambda run: (run / "config.json").write_bytes(b"\xff\0"), "cannot be read"),
    "another version": (lambda run: (run / "config.json").write_text('{"format": 99}'), "format 99"),
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_that_cannot_be_used_is_named(run: Path, kind: str) -> None:
    harm, words = RUNS[kind]
    harm(run)
    out = run.parent / "p.csv"
    assert words in error_line(credprop("predict", run, run.parent / "t.csv", "--out", out))
    assert not out.exists()
    if "weights" not in kind:
        page = (run / "report.html").read_bytes()
        assert words in error_line(credprop("report", run))
        assert (run / "report.html").read_bytes() == page


@pytest.mark.parametrize("content", ["", "[1, 2]", "{}", '{"a": 1}'])
def test_a_report_without_what_it_is_drawn_from_is_refused(run: Path, content: str) -> None:
    (run / "report.json").write_text(content)
    assert "report.json" in error_line(credprop("report", run))


def test_a_finished_run_without_its_figures_is_refused(run: Path) -> None:
    (run / "metrics.json").unlink()
    options = ["--id", "name", "--test", run.parent / "test.csv"]
    assert "metrics.json" in error_line(fit(run.parent / "t.csv", run, "--resume", *options))


PREDICTIONS: dict[str, tuple[Callable[[Path], Path], str, str]] = {
    "no such run": (table, "p.csv", "nowhere is no folder"),
    "existing file": (table, "t.csv", "--overwrite"),
    "unknown ending": (table, "p.xlsx", "p.xlsx"),
    "no ending": (table, "p", ".parquet"),
    "missing folder": (table, "no/p.csv", "is not a folder"),
    "a folder": (table, "folder.csv", "is a folder"),
    "missing data": (lambda folder: folder / "no.csv", "p.csv", "no such file"),
    "missing column": (without("b"), "p.csv", "no column 'b'"),
    "image for a row": (pictures, "p.csv", "vectors of 4 features"),
    "other width": (lambda f: arrays(f, x_test=np.zeros((9, 5))), "p.csv", "vectors of 5 features"),
    "NaN": (changed(a=np.nan), "p.csv", "'a'"),
}


@pytest.mark.parametrize("kind", PREDICTIONS)
def test_what_cannot_be_predicted_is_said_and_nothing_written(
    finished: Path, tmp_path: Path, kind: str
) -> None:
    make, name, words = PREDICTIONS[kind]
    (tmp_path / "folder.csv").mkdir()
    data = make(tmp_path)
    before = contents(tmp_path)
    run = tmp_path / "nowhere" if kind == "no such run" else finished
    assert words in error_line(credprop("predict", run, data, "--out", tmp_path / name))
    assert contents(tmp_path) == before


def test_images_of_another_size_or_in_a_table_are_refused(tmp_path: Path) -> None:
    assert fit(pictures(tmp_path), tmp_path / "run", "--quiet").exit_code == 0
    (tmp_path / "other").mkdir()
    larger = pictures(tmp_path / "other", (8, 6))
    message = error_line(credprop("predict", tmp_path / "run", larger, "--out", tmp_path / "p.csv"))
    assert "images of 6 x 8 x 3" in message
    assert "fitted on images of 6 x 6 x 3" in message
    listed = error_line(credprop("predict", tmp_path / "run", sealed(tmp_path), "--out", tmp_path / "p.csv"))
    assert "fitted on images" in listed


def test_the_traceback_shows_only_when_asked_for(tmp_path: Path) -> None:
    result = fit(tmp_path / "no.csv", tmp_path / "run", "--debug")
    assert result.exit_code == 2
    assert "Traceback" in result.stderr


def test_an_error_about_a_huge_name_is_cut_short(tmp_path: Path) -> None:
    message = error_line(fit(table(tmp_path), tmp_path / "run", "--quiet", "--preset", "x" * 10_000))
    assert len(message) < 1100


def test_features_stand_in_a_row_or_one_by_one(tmp_path: Path) -> None:
    data, out = table(tmp_path), str(tmp_path / "run")
    in_a_row = [str(data), "--features", "z", "a", "--label", "y", "--out", out]
    one_by_one = ["--features", "a", "--features", "z", "--out", out, "--label", "y", str(data)]
    for call in (in_a_row, one_by_one):
        assert "no column 'z'" in error_line(credprop("fit", *call))


def test_the_config_of_a_run_says_how_to_read_its_data_again(finished: Path) -> None:
    data = json.loads((finished / "config.json").read_text())["data"]
    assert data["path"] == str(finished.parent / "t.csv")
    assert (data["label"], data["id_column"], data["features"]) == ("y", "name", list("abcd"))
