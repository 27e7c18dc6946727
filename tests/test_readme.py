"""The README is short, links to pages that exist, and shows code that runs."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from readme_blocks import ROOT, blocks, commands, make_workspace

README = ROOT / "README.md"
HAS_OTHER_TESTS = ("make demo", "make test")  # the demo is run by tests/cli/test_demo.py
TAKES_LONG = "--method all"  # hours; tests/bench runs small ones


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which all blocks are run."""
    return make_workspace(tmp_path_factory.mktemp("readme"))


def test_the_readme_is_short() -> None:
    lines = README.read_text().splitlines()
    assert len(lines) <= 150
    assert max(map(len, lines)) <= 120


def test_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README.read_text())
    assert len(links) > 10
    assert not [link for link in links if not link.startswith("https://") and not (ROOT / link).exists()]


def test_every_command_is_run_or_known() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for command in set(commands(README)) - set(_shell_block().splitlines()):
        if command.startswith("pip install "):
            assert command == "pip install FOLDER" or re.findall(r"\[(\w+)\]", command)[0] in extras
        else:
            assert command in HAS_OTHER_TESTS or TAKES_LONG in command


@pytest.mark.parametrize("command", HAS_OTHER_TESTS)
def test_make_knows_its_targets(command: str) -> None:
    target = command.removeprefix("make ")
    assert re.search(rf"^{target}: ", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_the_python_block_runs(workspace: Path) -> None:
    (code,) = blocks(README, "python")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=workspace
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout.split()[0]) > 0.7
    assert {"is_label_issue", "label_quality", "verdict"} <= set(done.stdout.split())
    assert (workspace / "run" / "model.safetensors").is_file()


def test_the_shell_block_runs(workspace: Path) -> None:
    script = f"set -e\n{_shell_block()}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, cwd=workspace)
    assert done.returncode == 0, done.stderr
    outputs = ("run-csv/report.html", "predictions.csv", "predictions.parquet", "bench/bench.html")
    assert not [name for name in outputs if not (workspace / name).is_file()]
    assert json.loads((workspace / "run-csv" / "metrics.json").read_text())["test_rows"] == 400


def _shell_block() -> str:
    (block,) = [block for block in blocks(README, "sh") if ".venv/bin/activate" in block]
    return "".join(re.sub(r"\s+#\s.*", "", line) + "\n" for line in block.splitlines())
