"""`credprop bench` as people call it."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import credprop.bench  # noqa: F401 (before its methods are replaced)
from bench import fakes
from credprop.cli.app import app
from credprop.cli.variadic_options import spread


@pytest.fixture(autouse=True)
def methods(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny methods in place of the real ones."""
    monkeypatch.setitem(sys.modules, "credprop.methods", fakes)
    monkeypatch.delenv("CREDPROP_DATA", raising=False)


def call(*words: Any) -> Result:
    return CliRunner().invoke(app, ["bench", *map(str, words)])


def test_several_values_may_follow_an_option() -> None:
    options = {"--method", "--scenario"}
    assert spread(["--method", "a", "b", "--rows", "3", "--scenario=c", "d", "-q"], options) == [
        *("--method", "a", "--method", "b", "--rows", "3", "--scenario=c", "--scenario", "d", "-q")
    ]
    assert spread(["--method", "a", "--method", "b"], options) == ["--method", "a", "--method", "b"]


def test_the_table_is_printed_and_going_on_changes_nothing(tmp_path: Path) -> None:
    words: list[Any] = ["--data", "digits", "--method", "supervised", "centroid", "--scenario", "base"]
    words += ["few-label", "--seeds", 2, "--rows", 600, "--jobs", 1, "--out", tmp_path / "b"]
    first = call(*words)
    assert first.exit_code == 0
    assert "supervised" in first.stdout
    assert (
        "digits: 600 training and 539 test rows, 10 classes of which 4 are learned; 16 runs" in first.stderr
    )
    before = (tmp_path / "b" / "results.jsonl").read_bytes()
    again = call(*words, "--json", "--quiet")
    table = json.loads(again.stdout)
    assert again.stderr == ""
    assert table["cells"] == ["base", "few-label-1", "few-label-2", "few-label-3"]
    assert table["methods"]["centroid"]["accuracy"]["base"] > 0.8
    assert table["out"] == str((tmp_path / "b").resolve())
    assert table["page"] == str((tmp_path / "b" / "bench.html").resolve())
    assert (tmp_path / "b" / "results.jsonl").read_bytes() == before


def test_a_cell_by_its_number_of_labels_has_its_name_over_its_column(tmp_path: Path) -> None:
    words = ["--data", "digits", "--method", "centroid", "--scenario", "labels-2", "labels-5%", "few-label-2"]
    table = call(*words, "--jobs", 1, "--out", tmp_path / "b").stdout.splitlines()
    assert table[0].split() == ["few-label", "labels-2", "labels-5%"]
    assert table[1].split() == ["2"]


def test_the_page_is_drawn_and_can_be_drawn_again_from_the_folder(tmp_path: Path) -> None:
    words = ["--data", "digits", "--method", "supervised", "broken", "--scenario", "base", "--jobs", 1]
    assert call(*words, "--out", tmp_path / "b").exit_code == 1  # one of them breaks
    page = tmp_path / "b" / "bench.html"
    drawn = page.read_text(encoding="utf-8")
    assert "RuntimeError: it broke in two lines" in drawn
    page.unlink()
    again = CliRunner().invoke(app, ["report", str(tmp_path / "b"), "--json"])
    assert json.loads(again.stdout) == {"report": str(page.resolve())}
    assert page.read_text(encoding="utf-8") == drawn


def test_a_bench_of_which_no_run_is_done_has_a_page_too(tmp_path: Path) -> None:
    (tmp_path / "bench.json").write_text("{}")
    assert CliRunner().invoke(app, ["report", str(tmp_path)]).exit_code == 0
    assert "No run is done yet" in (tmp_path / "bench.html").read_text(encoding="utf-8")
    (tmp_path / "bench.json").write_text("{")
    assert CliRunner().invoke(app, ["report", str(tmp_path)]).exit_code == 2


def test_a_failed_run_makes_the_exit_status_1_and_the_table_is_there(tmp_path: Path) -> None:
    words = ["--data", "digits", "--method", "broken", "supervised", "--scenario", "base"]
    result = call(*words, "--jobs", 1, "--out", tmp_path / "b", "--json", "--quiet")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["errors"] == 1
    assert result.stderr.splitlines() == [
        "credprop: 1 of 2 runs failed, first broken (RuntimeError: it broke in two lines);"
        " the same command tries them again"
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--data", "nowhere.csv"], "there is no file or data set 'nowhere.csv'"),
        (["--data", "digits", "--method", "magic"], "no method is named 'magic'"),
        (["--data", "digits", "--scenario", "storm"], "no scenario is named 'storm'"),
        (["--data", "digits", "--rows", "12"], "two training rows or more"),
        (["--data", "digits", "--seeds", "0"], "--seeds"),
        (["--data", "digits", "--preset", "magic"], "unknown preset 'magic'"),
    ],
)
def test_a_wrong_call_exits_2_in_a_few_words_and_leaves_no_folder(
    tmp_path: Path, words: list[str], said: str
) -> None:
    result = call(*words, "--out", tmp_path / "b")
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "b").exists()


def test_a_column_of_texts_becomes_sentence_vectors_or_tokens(tmp_path: Path) -> None:
    lines = [f'{"uvw"[i % 3]},"news, number {i}"' for i in range(120)]
    (tmp_path / "t.csv").write_text("\n".join(["kind,said", *lines]))
    words = ["--data", tmp_path / "t.csv", "--label", "kind", "--scenario", "base", "--out", tmp_path / "b"]
    text = ["--text", "said", "--jobs", 1]
    refused = call(*words, *text, "--encoder", "mlp")
    assert (refused.exit_code, (tmp_path / "b").exists()) == (2, False)
    assert "a bench has no encoder 'mlp'; there are auto, text, sentence, pretrained" in refused.stderr
    result = call(*words, *text, "--encoder", "sentence", "--method", "centroid")
    assert (result.exit_code, "turns texts into vectors" in result.stderr) == (0, True)
    (row,) = [json.loads(line) for line in (tmp_path / "b" / "results.jsonl").read_text().splitlines()]
    assert (row["method"], row["error"]) == ("centroid", None)
    tokens = call(*words, *text, "--encoder", "text", "--method", "supervised")
    assert "is a bench with other data" in tokens.stderr
    tokens = call(*words[:-1], tmp_path / "c", *text, "--encoder", "text", "--method", "supervised")
    assert (tokens.exit_code, "tokens are read (by the text network" in tokens.stderr) == (0, True)
    unnamed = call(*words)
    assert "name it with --text said" in unnamed.stderr
    assert call(*words, "--text", "said", "--export").exit_code == 0
    cell = np.load(tmp_path / "b" / "base-seed0.npz")  # no pickle
    assert sorted([*cell["X"], *cell["X_test"]]) == sorted(f"news, number {i}" for i in range(120))


@pytest.mark.parametrize(
    "wrong", [["--preset", "best"], ["--method", "best"], ["--scenario", "best"], ["--preset", "text-yahoo"]]
)
def test_a_wrong_name_is_told_before_texts_are_encoded(
    wrong: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def encode(*_: Any) -> None:
        raise AssertionError("rows were encoded")

    monkeypatch.setattr("credprop.prepare.frozen_vectors.FrozenVectors.rows", encode)
    file = tmp_path / "t.csv"
    file.write_text("text,label\n" + "".join(f"this is text number {i},{i % 2}\n" for i in range(60)))
    words = ["--data", file, "--text", "text", "--label", "label", "--encoder", "sentence", "--jobs", 1]
    result = call(*words, "--out", tmp_path / "b", *wrong)
    assert result.exit_code == 2
    assert wrong[1] in result.stderr


def test_the_folder_of_another_bench_exits_2(tmp_path: Path) -> None:
    words = ["--data", "digits", "--method", "supervised", "--scenario", "base", "--jobs", 1]
    assert call(*words, "--out", tmp_path / "b").exit_code == 0
    result = call(*words, "--rows", 500, "--out", tmp_path / "b")
    assert result.exit_code == 2
    assert "is a bench with other training rows, data" in result.stderr


def test_rows_of_another_version_are_counted(tmp_path: Path) -> None:
    words: list[Any] = ["--data", "digits", "--method", "supervised", "--scenario", "base", "--seeds", 3]
    words += ["--jobs", 1, "--out", tmp_path / "b"]
    assert "another version" not in call(*words).stderr
    assert "another version" not in call(*words).stderr
    results = tmp_path / "b" / "results.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    del rows[0]["code"]  # as rows were before they had one
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "note: 1 of 3 rows there were made by another version of credprop" in call(*words).stderr


def test_a_file_of_ones_own_is_benched(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    x = rng.normal(size=(300, 2)) + 4 * np.eye(3)[y][:, :2]
    lines = [f"{a},{b},{'uvw'[c]},n{i}" for i, ((a, b), c) in enumerate(zip(x, y, strict=True))]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,kind,name", *lines]))
    words = ["--data", tmp_path / "t.csv", "--label", "kind", "--method", "centroid", "--jobs", 1]
    result = call(*words, "--out", tmp_path / "b", "--json")
    table = json.loads(result.stdout)
    assert result.exit_code == 0
    assert table["data"] == "t.csv"
    assert len(table["cells"]) == 13
    assert "columns that are no features: name" in result.stderr


def test_cells_are_exported_and_nothing_is_run(tmp_path: Path) -> None:
    words = ["--data", "digits", "--scenario", "noisy-label", "--seeds", 2, "--out", tmp_path / "cells"]
    result = call(*words, "--export", "--json")
    paths = json.loads(result.stdout)["cells"]
    assert sorted(path.name for path in (tmp_path / "cells").iterdir()) == [
        f"noisy-label-{i}-seed{s}.npz" for i in (1, 2, 3) for s in (0, 1)
    ]
    cell = np.load(paths[-1])
    given = cell["y"] >= 0
    assert int(given.sum()) == 80
    assert int((cell["y"] != cell["y_true"])[given].sum()) == 48
    again = call(*words, "--export")
    assert again.exit_code == 2
    assert "is there already" in again.stderr


def test_scenarios_and_datasets_are_listed() -> None:
    scenarios = CliRunner().invoke(app, ["list", "scenarios", "--json"])
    assert list(json.loads(scenarios.stdout)["scenarios"])[:3] == ["base", "few-label", "open-set"]
    datasets = CliRunner().invoke(app, ["list", "datasets", "--json"])
    listed = json.loads(datasets.stdout)["datasets"]
    assert {"digits", "cifar10", "ag-news", "20newsgroups"} <= listed.keys()
    assert listed["dbpedia"].startswith(
        "texts: 560,000 entries and 70,000 to test in 14 classes; Zhang et al."
    )
