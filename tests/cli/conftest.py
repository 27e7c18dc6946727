"""A run that many tests read, and one that a test may change."""

import shutil
from pathlib import Path

import pytest

from cli.shell import fit, sealed, table


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `run` of a finished run, next to its data; not to be changed."""
    folder = tmp_path_factory.mktemp("finished")
    result = fit(table(folder), folder / "run", "--id", "name", "--test", sealed(folder))
    assert result.exit_code == 0, result.output
    return folder / "run"


@pytest.fixture(scope="session")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of a run with a trial; not to be changed."""
    folder = tmp_path_factory.mktemp("tried")
    options = ("--trial", "--trial-folds", 2, "--id", "name", "--test", sealed(folder), "--quiet")
    result = fit(table(folder), folder / "run", *options)
    assert result.exit_code == 0, result.output
    return folder / "run"


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(finished.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"
