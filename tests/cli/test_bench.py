"""`credprop bench` as users call it, and with tiny methods where a run must fail."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import Result

from bench.example_rows import ROWS, row
from cli.shell import credprop
from credprop.bench import Progress, load_dataset, summarize
from credprop.cli.bench import describe, plan, run, table_text
from credprop.cli.console import Console

QUICK = ("--method", "logistic", "--jobs", 1)  # scikit-learn, for speed


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and no data folder."""
    monkeypatch.delenv("CREDPROP_DATA", raising=False)
    monkeypatch.setenv("CREDPROP_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def call(*words: Any) -> Result:
    return credprop("bench", *words)


def run_tiny(data: Any, out: Path, *methods: str, seeds: int = 1, encoder: str = "auto") -> None:
    """The base case with the tiny methods of these tests."""
    console = Console(quiet=True, json=True)
    choices: dict[str, Any] = {"encoder": encoder, "preset": "auto", "module": "bench.tiny_methods"}
    run(plan(data, methods, ["base"], range(seeds), **choices, console=console), out, 1, console)


def test_the_table_is_printed_and_repeating_the_command_changes_nothing(tmp_path: Path) -> None:
    words: list[Any] = ["--data", "digits", "--method", "logistic", "label-spreading", "--scenario", "base"]
    words += ["few-label", "--seeds", 2, "--rows", 600, "--jobs", 1, "--out", tmp_path / "b"]
    first = call(*words)
    assert first.exit_code == 0
    assert "label-spreading" in first.stdout
    assert "digits: 600 training and 539 test rows, 10 classes, 4 in-distribution; 16 runs" in first.stderr
    before = (tmp_path / "b" / "results.jsonl").read_bytes()
    again = call(*words, "--json", "--quiet")
    table = json.loads(again.stdout)
    assert again.stderr == ""
    assert table["cells"] == ["base", "few-label-1", "few-label-2", "few-label-3"]
    assert table["methods"]["logistic"]["accuracy"]["base"] > 0.8
    assert table["out"] == str((tmp_path / "b").resolve())
    assert table["page"] == str((tmp_path / "b" / "bench.html").resolve())
    assert (tmp_path / "b" / "results.jsonl").read_bytes() == before


def test_the_printed_table_marks_what_is_below_the_baseline() -> None:
    first = [row("ccp", "base", s, 0.9, first_accuracy=0.25) for s in (0, 1)]
    rows = [r for r in ROWS if (r["method"], r["scenario"]) != ("ccp", "base")] + first
    lines = table_text(summarize(rows)).splitlines()
    assert lines[:7] == [
        "              base   few-label  open-set",
        "                            1         2",
        "supervised    85.0       55.0      60.0",
        "ccp           90.0       70.0      55.0<",
        "other         75.0<      60.0      60.0",
        "control      100.0      100.0     100.0",
        "after the first iteration",
    ]
    assert lines[7] == "ccp           25.0          -         -"
    assert "mean of 2 seeds; < below supervised" in "\n".join(lines)
    assert not any(line.startswith("control") for line in lines[8:])
    assert table_text(summarize([])) == "No run has finished."


def test_a_cell_by_its_number_of_labels_has_its_name_over_its_column(tmp_path: Path) -> None:
    words = ["--data", "digits", *QUICK, "--scenario", "labels-2", "labels-5%", "few-label-2"]
    table = call(*words, "--out", tmp_path / "b").stdout.splitlines()
    assert table[0].split() == ["few-label", "labels-2", "labels-5%"]
    assert table[1].split() == ["2"]


def test_a_failed_run_exits_1_with_the_table_and_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run_tiny(load_dataset("digits"), tmp_path / "b", "broken", "supervised")
    printed = capsys.readouterr()
    assert ended.value.code == 1
    assert json.loads(printed.out)["errors"] == 1
    assert printed.err.splitlines() == [
        "credprop: 1 of 2 runs failed, the first with broken (RuntimeError: it broke in two lines);"
        " run the same command again to retry them"
    ]
    page = tmp_path / "b" / "bench.html"
    drawn = page.read_text(encoding="utf-8")
    assert "RuntimeError: it broke in two lines" in drawn
    page.unlink()
    again = credprop("report", tmp_path / "b", "--json")
    assert json.loads(again.stdout) == {"report": str(page.resolve())}
    assert page.read_text(encoding="utf-8") == drawn


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--data", "nowhere.csv"], "no data set or file 'nowhere.csv'"),
        (["--data", "digits", "--method", "magic"], "unknown method 'magic'"),
        (["--data", "digits", "--scenario", "storm"], "unknown scenario 'storm'"),
        (["--data", "digits", "--rows", "12"], "at least two training rows"),
        (["--data", "digits", "--seeds", "0"], "--seeds"),
        (["--data", "digits", "--preset", "magic"], "'magic'"),
    ],
)
def test_a_wrong_call_exits_2_with_a_short_message_and_writes_nothing(
    tmp_path: Path, words: list[str], message: str
) -> None:
    result = call(*words, "--out", tmp_path / "b")
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "b").exists()


def texts(folder: Path) -> Path:
    lines = [f'{"uvw"[i % 3]},"news, number {i}"' for i in range(120)]
    (folder / "t.csv").write_text("\n".join(["kind,said", *lines]))
    return folder / "t.csv"


def test_a_text_column_becomes_sentence_vectors(tmp_path: Path, cache: Path) -> None:
    words = ["--data", texts(tmp_path), "--label", "kind", "--scenario", "base", "--out", tmp_path / "b"]
    refused = call(*words, "--text", "said", *QUICK, "--encoder", "mlp")
    assert (refused.exit_code, (tmp_path / "b").exists()) == (2, False)
    assert "unknown encoder 'mlp'; use auto, text, sentence, pretrained" in refused.stderr
    result = call(*words, "--text", "said", *QUICK, "--encoder", "sentence")
    assert (result.exit_code, "turns texts into vectors" in result.stderr) == (0, True)
    assert any(cache.rglob("*"))  # the vectors are kept
    (finished,) = [json.loads(line) for line in (tmp_path / "b" / "results.jsonl").read_text().splitlines()]
    assert (finished["method"], finished["error"]) == ("logistic", None)
    assert "name it with --text said" in call(*words).stderr


def test_a_text_column_becomes_tokens_in_another_bench(tmp_path: Path) -> None:
    data = load_dataset(str(texts(tmp_path)), label="kind", text="said")
    run_tiny(data, tmp_path / "b", "supervised", encoder="text")
    (finished,) = [json.loads(line) for line in (tmp_path / "b" / "results.jsonl").read_text().splitlines()]
    assert finished["error"] is None
    with pytest.raises(ValueError, match="was created with different data"):
        run_tiny(data, tmp_path / "b", "supervised", encoder="sentence")


def test_texts_are_exported_without_pickle(tmp_path: Path) -> None:
    words = ["--data", texts(tmp_path), "--label", "kind", "--text", "said", "--scenario", "base"]
    assert call(*words, "--out", tmp_path / "b", "--export").exit_code == 0
    with np.load(tmp_path / "b" / "base-seed0.npz") as cell:
        assert sorted([*cell["X"], *cell["X_test"]]) == sorted(f"news, number {i}" for i in range(120))


@pytest.mark.parametrize(
    "wrong", [["--preset", "best"], ["--method", "best"], ["--scenario", "best"], ["--preset", "text-yahoo"]]
)
def test_a_wrong_name_is_found_before_texts_are_encoded(
    wrong: list[str], tmp_path: Path, cache: Path
) -> None:
    words = ["--data", texts(tmp_path), "--text", "said", "--label", "kind", "--encoder", "sentence"]
    result = call(*words, "--jobs", 1, "--out", tmp_path / "b", *wrong)
    assert result.exit_code == 2
    assert wrong[1] in result.stderr
    assert not any(cache.rglob("*"))


def test_the_folder_of_another_bench_exits_2(tmp_path: Path) -> None:
    words = ["--data", "digits", *QUICK, "--scenario", "base"]
    assert call(*words, "--out", tmp_path / "b").exit_code == 0
    result = call(*words, "--rows", 500, "--out", tmp_path / "b")
    assert result.exit_code == 2
    assert "was created with different training rows, data" in result.stderr


def test_results_of_another_version_are_counted(tmp_path: Path) -> None:
    words: list[Any] = ["--data", "digits", *QUICK, "--scenario", "base", "--seeds", 3]
    words += ["--out", tmp_path / "b"]
    assert "another version" not in call(*words).stderr
    assert "another version" not in call(*words).stderr
    results = tmp_path / "b" / "results.jsonl"
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    del rows[0]["code"]  # as in rows of the first versions
    results.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "note: 1 of 3 existing results" in call(*words).stderr


def test_a_bench_reads_a_table_of_the_user(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(300) % 3
    x = rng.normal(size=(300, 2)) + 4 * np.eye(3)[y][:, :2]
    lines = [f"{a},{b},{'uvw'[c]},n{i}" for i, ((a, b), c) in enumerate(zip(x, y, strict=True))]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,kind,name", *lines]))
    words = ["--data", tmp_path / "t.csv", "--label", "kind", *QUICK]
    result = call(*words, "--out", tmp_path / "b", "--json")
    table = json.loads(result.stdout)
    assert result.exit_code == 0
    assert table["data"] == "t.csv"
    assert len(table["cells"]) == 13
    assert "columns not used as features: name" in result.stderr


def test_cells_are_exported_and_nothing_is_trained(tmp_path: Path) -> None:
    words = ["--data", "digits", "--scenario", "noisy-label", "--seeds", 2, "--out", tmp_path / "cells"]
    result = call(*words, "--export", "--json")
    paths = json.loads(result.stdout)["cells"]
    assert sorted(path.name for path in (tmp_path / "cells").iterdir()) == [
        f"noisy-label-{i}-seed{s}.npz" for i in (1, 2, 3) for s in (0, 1)
    ]
    with np.load(paths[-1]) as cell:
        given = cell["y"] >= 0
        assert int(given.sum()) == 80
        assert int((cell["y"] != cell["y_true"])[given].sum()) == 48
    again = call(*words, "--export")
    assert again.exit_code == 2
    assert "already exists" in again.stderr


def test_progress_names_the_finished_run_and_the_time_left() -> None:

    assert describe(Progress(0, 2, None, None)) == "starting"
    finished = row("ccp", "few-label-2", 0, 0.5)
    assert describe(Progress(1, 2, 150.0, finished)) == "about 2 min left, ccp few-label-2 50.0%"
    assert describe(Progress(2, 2, None, finished | {"error": "it broke"})) == "ccp few-label-2 failed"
