"""A run folder is never overwritten unasked or left half-written, and an interrupted run can be resumed."""

import json
import resource
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from cli.shell import QUICK, contents, credprop, error_line, fit, start, table
from credprop.training.checkpoint import load_checkpoint

HOLDS_REPORT = 2_000_000  # bytes: enough for every file but the report's page


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """A disk on which a file cannot be larger than this."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def again(run: Path, *options: object) -> Result:
    """The call that made the run, with more options."""
    data, sealed = run.parent / "t.csv", run.parent / "test.csv"
    return fit(data, run, "--id", "name", "--test", sealed, *options)


def test_a_second_fit_into_the_same_folder_refuses(run: Path) -> None:
    before = contents(run)
    message = error_line(again(run))
    assert "finished run" in message
    assert "--overwrite" in message
    assert "--resume" in message
    assert contents(run) == before


def test_resuming_a_finished_run_changes_nothing(run: Path) -> None:
    before = contents(run)
    result = again(run, "--resume", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["run"] == str(run)
    assert "nothing to do" in result.stderr
    assert contents(run) == before


OTHERS: list[tuple[str, dict[str, Any], list[object]]] = [
    ("random state", {}, ["--seed", 1]),
    ("budget", {}, ["--budget", 0.03]),
    ("trust labels", {}, ["--no-trust"]),
    ("trial", {}, ["--trial"]),
    ("metric", {}, ["--metric", "macro-f1"]),
    ("confidence", {}, ["--confidence", 0.8]),
    ("gold labels", {"sure": 0}, ["--gold", "sure"]),
    ("groups", {"camera": 3}, ["--group", "camera"]),
    ("encoder", {}, ["--encoder", "mlp"]),
    ("data", {"a": 1.5}, []),
    ("data", {"y": ["cat", "dog", "p_x"] * 20}, []),
    ("names of features", {}, ["--features", "d", "--features", "a"]),
    ("ids", {}, ["--id", "a"]),
]


@pytest.mark.parametrize("state", ["finished", "unfinished"])
def test_resuming_with_something_else_names_the_difference(run: Path, state: str) -> None:
    if state == "unfinished":
        leave_unfinished(run)
    before = contents(run)
    for named, columns, options in OTHERS:
        table(run.parent, **columns)
        message = error_line(again(run, "--resume", *options))
        assert f"with different {named}" in message or f", {named}" in message
        assert contents(run) == before


def leave_unfinished(run: Path) -> None:
    """A run of the same call that failed after all its training, in place of the finished one."""
    with largest_file(HOLDS_REPORT):
        assert again(run, "--overwrite", "--quiet").exit_code == 1


def test_resuming_with_other_test_labels_is_refused(run: Path) -> None:
    path = run.parent / "test.csv"
    path.write_text(path.read_text().replace("cat", "dog"))
    assert "different test data" in error_line(again(run, "--resume"))


def test_resuming_before_the_first_checkpoint_starts_from_the_beginning(tmp_path: Path) -> None:
    assert fit(table(tmp_path), tmp_path / "run", "--resume").exit_code == 0
    assert (tmp_path / "run" / "config.json").exists()


def test_overwriting_restarts_and_leaves_other_files_alone(run: Path) -> None:
    (run / "notes.txt").write_text("mine")
    before = contents(run)
    assert again(run, "--overwrite", "--seed", 1).exit_code == 0
    after = contents(run)
    assert after.keys() == before.keys()
    assert after["notes.txt"] == before["notes.txt"]
    assert after["model.safetensors"] != before["model.safetensors"]
    assert json.loads((run / "config.json").read_text())["seed"] == 1


def test_overwriting_and_resuming_at_once_is_refused(run: Path) -> None:
    assert "use only one of them" in error_line(again(run, "--resume", "--overwrite"))


@pytest.mark.parametrize("option", [(), ("--overwrite",), ("--resume",)])
@pytest.mark.parametrize("name", ["thesis.doc", "config.json", "model.safetensors"])
def test_a_folder_that_is_no_run_is_never_touched(tmp_path: Path, option: tuple[str], name: str) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / name).write_text('{"architectures": ["Bert"]}')
    before = contents(tmp_path / "mine")
    assert "not part of a run" in error_line(fit(table(tmp_path), tmp_path / "mine", *option))
    assert contents(tmp_path / "mine") == before


def test_wrong_input_leaves_an_older_run_as_it_was(run: Path) -> None:
    before = contents(run)
    table(run.parent, y="cat")
    assert "one class" in error_line(fit(run.parent / "t.csv", run, "--overwrite", "--quiet"))
    assert contents(run) == before
    table(run.parent)
    assert "unknown preset" in error_line(again(run, "--overwrite", "--preset", "x", "--quiet"))
    assert contents(run) == before


@pytest.mark.parametrize("size", [1_000, HOLDS_REPORT], ids=["from the start", "at the end"])
def test_a_full_disk_leaves_an_older_run_as_it_was_and_can_be_resumed(run: Path, size: int) -> None:
    before = contents(run)
    with largest_file(size):
        result = again(run, "--overwrite", "--seed", 1, "--quiet")
    message = error_line(result, status=1)
    assert "File too large" in message
    assert "--resume instead of --overwrite" in message
    after = contents(run)
    assert {name: after[name] for name in before} == before
    assert not [name for name in after if "partial" in name or "new/" in name]
    assert credprop("predict", run, run.parent / "t.csv", "--out", run.parent / "p.csv").exit_code == 0
    assert "unfinished" in error_line(again(run, "--seed", 1))
    assert again(run, "--resume", "--seed", 1).exit_code == 0
    other = run.parent / "other"
    assert fit(run.parent / "t.csv", other, "--id", "name", "--seed", 1).exit_code == 0
    for name in ("model.safetensors", "labels.csv"):
        assert (run / name).read_bytes() == (other / name).read_bytes()
    assert sorted(contents(run)) == sorted(before)


def test_a_full_disk_leaves_no_half_predictions(run: Path) -> None:
    out = run.parent / "p.csv"
    out.write_text("older")
    with largest_file(500):
        result = credprop("predict", run, run.parent / "t.csv", "--out", out, "--overwrite")
    assert str(out) in error_line(result, status=1)
    assert out.read_text() == "older"
    assert not list(run.parent.glob("*.partial"))


def test_a_damaged_checkpoint_is_named(run: Path) -> None:
    leave_unfinished(run)
    (run / "checkpoint" / "training" / "ccp.safetensors").write_bytes(b"\0" * 100)
    assert "ccp.safetensors is damaged" in error_line(again(run, "--resume", "--quiet"))
    assert again(run, "--overwrite", "--quiet").exit_code == 0


def test_an_empty_folder_may_be_used(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    data = table(tmp_path, y="cat")
    assert credprop("fit", data, "--label", "y", "--out", tmp_path / "run", *QUICK).exit_code == 2
    assert not list((tmp_path / "run").iterdir())
    assert fit(table(tmp_path), tmp_path / "run", "--quiet").exit_code == 0


SLOWER = ("--budget", "0.05", "--no-trial")  # for a moment to stop it in
SAME = ("model.safetensors", "labels.csv")


def wait_for_stage(process: subprocess.Popen[str], run: Path, stage: int) -> None:
    """Wait until the run has reached this stage."""
    checkpoint = run / "checkpoint" / "training" / "ccp.safetensors"
    while not checkpoint.exists() or load_checkpoint(checkpoint)[1]["stage"] < stage:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def test_a_run_interrupted_and_then_killed_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    data, run = table(tmp_path), tmp_path / "run"
    call = ("fit", data, "--label", "y", "--out", run, *SLOWER)
    interrupted = start(*call)
    wait_for_stage(interrupted, run, 1)
    interrupted.send_signal(signal.SIGINT)
    out, error = interrupted.communicate()
    assert interrupted.returncode == 130
    assert out == ""
    last = "credprop: interrupted; run the same command with --resume to continue"
    assert error.splitlines()[-1] == last
    assert "Traceback" not in error
    assert set(contents(run)) == {"checkpoint/job.json", "checkpoint/training/ccp.safetensors"}

    killed = start(*call, "--resume")
    wait_for_stage(killed, run, 3)
    killed.kill()
    killed.communicate()
    assert fit(data, run, *SLOWER, "--resume", "--quiet").exit_code == 0
    assert fit(data, tmp_path / "whole", *SLOWER, "--quiet").exit_code == 0
    for name in SAME:
        assert (run / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert set(contents(run)) == set(contents(tmp_path / "whole"))


def test_a_folder_lost_during_training_is_reported(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = start("fit", table(tmp_path), "--label", "y", "--out", run, *SLOWER)
    wait_for_stage(process, run, 1)
    run.rename(tmp_path / "moved")
    out, error = process.communicate()
    assert process.returncode == 1
    assert out == ""
    assert f"the run folder was deleted or moved during training: {run}" in error.splitlines()[-1]
    assert "Traceback" not in error
    assert not run.exists()


def test_a_finished_run_without_its_figures_is_refused(run: Path) -> None:
    (run / "metrics.json").unlink()
    options = ["--id", "name", "--test", run.parent / "test.csv"]
    assert "metrics.json" in error_line(fit(run.parent / "t.csv", run, "--resume", *options))
