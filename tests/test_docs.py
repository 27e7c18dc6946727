"""The reference is whole: every public name is documented, every example runs, the site builds."""

import doctest
import importlib.util
import inspect
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

import credprop
from credprop import functional
from credprop.cli.app import app

ROOT = Path(__file__).parents[1]
ESTIMATOR = {name: getattr(credprop, name) for name in credprop.__all__ if name != "__version__"}
FUNCTIONAL = {name: getattr(functional, name) for name in functional.__all__}
PUBLIC = ESTIMATOR | FUNCTIONAL
GIVEN = FUNCTIONAL | {"torch": torch}  # what the page says that examples of the core start with
COMMANDS = ["demo", "fit", "predict", "report", "bench", "list"]


def example(name: str) -> doctest.DocTest:
    """The example of a public name."""
    given = dict(GIVEN) if name in FUNCTIONAL else {}
    return doctest.DocTestParser().get_doctest(inspect.getdoc(PUBLIC[name]) or "", given, name, None, None)


def methods(of: Any) -> list[tuple[str, Callable[..., Any]]]:
    """The public methods that a class itself defines."""
    return [
        (name, getattr(of, name)) for name, found in vars(of).items() if name[0] != "_" and callable(found)
    ]


def undocumented(function: Callable[..., Any], text: str) -> list[str]:
    """Parameters that a docstring explains neither in a section nor as `name` in its text."""
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    return [name for name in names if not re.search(rf"`{name}`|^{listed(name)}$", text, re.M)]


def listed(name: str) -> str:
    """Pattern of the line that names it in a section: alone or among others, with a type or without."""
    return rf"\**(\w+, )*{name}(, \w+)*( : .+)?"


def test_dir_shows_exactly_the_public_names() -> None:
    assert dir(credprop) == sorted(credprop.__all__)


def test_dir_does_not_wait_for_torch() -> None:
    check = "import sys, credprop; dir(credprop); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example_with_output_that_runs(name: str) -> None:
    test, said = example(name), list[str]()
    assert any(part.want for part in test.examples)
    assert not any(doctest.SKIP in part.options for part in test.examples)
    result = doctest.DocTestRunner().run(test, out=said.append)
    assert not result.failed, "".join(said)
    assert result.attempted == len(test.examples)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_parameter_is_explained(name: str) -> None:
    assert not undocumented(PUBLIC[name], inspect.getdoc(PUBLIC[name]) or "")


@pytest.mark.parametrize("name", ["CCPClassifier", "Refined", "LabeledKFold"])
def test_every_parameter_of_every_method_is_explained(name: str) -> None:
    missing = {
        method: left
        for method, function in methods(PUBLIC[name])
        if (left := undocumented(function, inspect.getdoc(function) or ""))
    }
    assert not missing


def test_every_attribute_that_a_fit_leaves_is_documented() -> None:
    doctest.DocTestRunner().run(test := example("CCPClassifier"), clear_globs=False)
    left = [name for name in vars(test.globs["clf"]) if name.endswith("_")]
    assert "transduction_" in left
    text = inspect.getdoc(credprop.CCPClassifier) or ""
    assert not [name for name in left if not re.search(rf"^{listed(name)}$", text, re.M)]


def test_the_pages_list_exactly_the_public_names() -> None:
    for page, prefix, names in [
        ("python", "credprop", set(ESTIMATOR)),
        ("functional", "credprop.functional", set(FUNCTIONAL)),
    ]:
        text = (ROOT / f"docs/reference/{page}.md").read_text()
        listed = re.findall(rf"^::: {re.escape(prefix)}\.(\w+)$", text, re.M)
        assert sorted(listed) == sorted(names)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_of_the_command_line_says_what_the_help_says(command: str) -> None:
    page = runpy.run_path(str(ROOT / "docs/hooks/command_line.py"))["commands"]()
    section = page.partition(f"## credprop {command}\n")[2].partition("\n## ")[0]
    shown = CliRunner().invoke(app, [command, "--help"], prog_name="credprop").output
    options = re.findall(r"^  ((?:-\w, )?--[a-z-]+)", shown, re.M)
    assert options[-1] == "-h, --help"
    assert re.findall(r"^`((?:-\w, )?--[a-z-]+)", section, re.M) == options


def test_the_page_of_the_command_line_has_a_place_for_the_commands() -> None:
    hook = runpy.run_path(str(ROOT / "docs/hooks/command_line.py"))
    assert (ROOT / "docs" / hook["PAGE"]).read_text().count(hook["MARK"]) == 1


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("mkdocs"), reason="mkdocs is not installed: make docs")
def test_the_site_builds_strictly_and_asks_for_nothing_from_the_network(tmp_path: Path) -> None:
    for name in ("docs", "src"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")  # what the figures and results are made from
    if (figures := tmp_path / "docs/figures.py").exists():
        subprocess.run([sys.executable, figures], cwd=tmp_path, check=True)
    build = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"],
        cwd=tmp_path,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (build.returncode, build.stdout, build.stderr) == (0, "", "")
    pages = list((tmp_path / "site").rglob("*.html"))
    loaded = (
        r'<(?:script|img|iframe)[^>]* src="https?:|<link[^>]* rel="(?:stylesheet|preconnect)" href="https?:'
    )
    assert not [page for page in pages if re.search(loaded, page.read_text())]
    assert 'id="credprop.CCPClassifier.fit"' in (tmp_path / "site/reference/python.html").read_text()
    assert "--overwrite" in (tmp_path / "site/reference/command-line.html").read_text()
