"""What only a process of its own can show: what it imports, how it is stopped, where its output goes."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.shell import contents, fit, start, table
from credprop.training.checkpoint import load_checkpoint

SLOWER = ("--budget", "0.05")  # for a moment to stop it in
SAME = ("model.safetensors", "labels.csv")


def wait_for_stage(process: subprocess.Popen[str], run: Path, stage: int) -> None:
    """Until the run has come so far."""
    checkpoint = run / "checkpoint" / "run.safetensors"
    while not checkpoint.exists() or load_checkpoint(checkpoint)[1]["stage"] < stage:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


@pytest.mark.parametrize("code", ["import credprop.cli", "import sys; sys.argv[1:] = ['fit', '--help']"])
def test_help_waits_for_no_heavy_library(code: str) -> None:
    heavy = {"torch", "pandas", "sklearn", "plotly", "numpy", "scipy", "accelerate"}
    check = f"import atexit, sys; atexit.register(lambda: print(sorted({heavy} & set(sys.modules)))); {code}"
    call = "; from credprop.cli import main; main()" if "argv" in code else ""
    done = subprocess.run([sys.executable, "-c", check + call], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_a_run_interrupted_and_then_killed_ends_like_one_that_never_was(tmp_path: Path) -> None:
    data, run = table(tmp_path), tmp_path / "run"
    call = ("fit", data, "--label", "y", "--out", run, *SLOWER)
    interrupted = start(*call)
    wait_for_stage(interrupted, run, 1)
    interrupted.send_signal(signal.SIGINT)
    out, error = interrupted.communicate()
    assert interrupted.returncode == 130
    assert out == ""
    last = "credprop: interrupted; the same command with --resume goes on from there"
    assert error.splitlines()[-1] == last
    assert "Traceback" not in error
    assert set(contents(run)) == {"checkpoint/job.json", "checkpoint/run.safetensors"}

    killed = start(*call, "--resume")
    wait_for_stage(killed, run, 3)
    killed.kill()
    killed.communicate()
    assert fit(data, run, *SLOWER, "--resume", "--quiet").exit_code == 0
    assert fit(data, tmp_path / "whole", *SLOWER, "--quiet").exit_code == 0
    for name in SAME:
        assert (run / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert set(contents(run)) == set(contents(tmp_path / "whole"))


def test_a_folder_lost_during_the_work_is_said(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = start("fit", table(tmp_path), "--label", "y", "--out", run, *SLOWER)
    wait_for_stage(process, run, 1)
    run.rename(tmp_path / "moved")
    out, error = process.communicate()
    assert process.returncode == 1
    assert out == ""
    assert f"the folder was lost during the work: {run}" in error.splitlines()[-1]
    assert "Traceback" not in error
    assert not run.exists()


def test_a_reader_who_has_seen_enough_is_no_error() -> None:
    with start("list", "presets") as process:
        assert process.stdout is not None
        process.stdout.close()  # before anything is written
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0
