"""The examples run as they stand."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
SLOW = {"refine_digits"}


@pytest.mark.parametrize(
    "file", [pytest.param(f, id=f.stem, marks=[pytest.mark.slow] * (f.stem in SLOW)) for f in EXAMPLES]
)
def test_example_runs_and_says_something(file: Path, tmp_path: Path) -> None:
    run = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
    assert file.read_text().count("\n") <= 60
