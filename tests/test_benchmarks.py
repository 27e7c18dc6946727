"""The pages that show results say what the results say."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def tables() -> str:
    """What the program prints for the results that are there."""
    command = [sys.executable, str(ROOT / "benchmarks" / "tables.py")]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_the_page_of_results_is_made_from_them(tables: str) -> None:
    assert tables == (ROOT / "benchmarks" / "results" / "README.md").read_text()


def test_the_readme_shows_the_summary_of_the_results() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "tables.py"), "--summary"]
    table = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert table.count("\n") > 6
    assert table in (ROOT / "README.md").read_text()
