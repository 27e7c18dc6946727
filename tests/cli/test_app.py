"""The commands as a separate process: imports, signals, pipes; wrong calls."""

import subprocess
import sys
from pathlib import Path

import pytest

from cli.shell import credprop, start
from credprop import __version__


@pytest.mark.parametrize("code", ["import credprop.cli", "import sys; sys.argv[1:] = ['fit', '--help']"])
def test_help_waits_for_no_heavy_library(code: str) -> None:
    heavy = {"torch", "pandas", "sklearn", "plotly", "numpy", "scipy", "accelerate"}
    check = f"import atexit, sys; atexit.register(lambda: print(sorted({heavy} & set(sys.modules)))); {code}"
    call = "; from credprop.cli import main; main()" if "argv" in code else ""
    done = subprocess.run([sys.executable, "-c", check + call], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_a_closed_pipe_is_no_error() -> None:
    with start("list", "presets") as process:
        assert process.stdout is not None
        process.stdout.close()  # before anything is written
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0


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
def test_a_wrong_call_is_explained_in_at_most_six_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: list[object]
) -> None:
    monkeypatch.chdir(tmp_path)
    result = credprop(*call)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert 0 < len(result.stderr.splitlines()) <= 6
    assert not list(tmp_path.iterdir())


def test_the_version_and_help_are_shown() -> None:
    assert credprop("--version").stdout == f"credprop {__version__}\n"
    bare = credprop()
    assert bare.exit_code == 0
    assert bare.stdout.strip() == credprop("--help").stdout.strip()
    for command in ("demo", "fit", "predict", "report", "bench", "list"):
        assert command in bare.stdout
        assert credprop(command, "-h").exit_code == 0
