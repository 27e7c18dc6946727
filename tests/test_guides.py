"""The pages of the documentation: their code runs, their links lead somewhere."""

import contextlib
import io
import re
import runpy
import shlex
import subprocess
import warnings
from pathlib import Path

import pytest
from typer.testing import CliRunner

from credprop.cli.app import app
from readme_blocks import ROOT, make_workspace

DOCS = ROOT / "docs"
PAGES = [DOCS / "index.md", *sorted(DOCS.glob("concepts/*.md")), *sorted(DOCS.glob("guides/*.md"))]
FENCE = re.compile(r"^(?:<!-- not run: (.*?) -->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "<!-- not run"
LANGUAGES = {"python", "sh", "text"}  # "text" is output, never run
NOT_RUN_AT_MOST = 8  # on all pages


def code_of(page: Path) -> list[tuple[str, str, str]]:
    """Blocks of a page in order: why it is not run or "", language, code."""
    return FENCE.findall(page.read_text())


def run_shell(code: str) -> None:
    """Run every command of a block in this process, so that torch is imported once."""
    for line in code.replace("\\\n", " ").splitlines():
        command = re.sub(r"(^|\s)#\s.*", "", line).strip()
        if command.startswith("credprop "):
            done = CliRunner().invoke(app, shlex.split(command)[1:], prog_name="credprop")
            assert done.exit_code == 0, f"{command}\n{done.output}"
        elif command:
            script = f". .venv/bin/activate && {command}"
            shell = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
            assert shell.returncode == 0, f"{command}\n{shell.stderr}"


def run_python(code: str, names: dict[str, object]) -> None:
    """Run a block with the names of the blocks before it; what it prints and warns about is not shown."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, "page", "exec"), names)


def named(page: Path) -> str:
    """Path of a page within the documentation."""
    return page.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(make_workspace(tmp_path))
    names: dict[str, object] = {"__name__": "__main__"}
    for reason, language, code in code_of(page):
        if reason or language == "text":
            continue
        if language == "sh":
            run_shell(code)
        else:
            run_python(code, names)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_block_is_found_and_of_a_known_language(page: Path) -> None:
    blocks = code_of(page)
    assert {language for _, language, _ in blocks} <= LANGUAGES
    assert 2 * len(blocks) == len(re.findall(r"^\s*```", page.read_text(), re.MULTILINE))


def test_few_blocks_are_not_run_and_each_says_why() -> None:
    reasons = [reason for page in PAGES for reason, _, _ in code_of(page) if reason]
    assert len(reasons) <= NOT_RUN_AT_MOST
    assert len(reasons) == sum(page.read_text().count(MARK) for page in PAGES)
    assert all(len(reason.split()) >= 2 for reason in reasons)


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=named)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL))
    drawn = {DOCS / "figures" / f"{name}.svg" for name in figures()}
    for link in links:
        if not link.startswith(("https://", "#")):
            there = (page.parent / link.partition("#")[0]).resolve()
            assert there in drawn or (there.is_file() and there.is_relative_to(DOCS)), link


def figures() -> list[str]:
    """Names of the figures that are drawn when the site is built."""
    return list(runpy.run_path(str(DOCS / "figures.py"))["FIGURES"])


def test_the_page_of_results_has_all_tables_of_the_benches() -> None:
    hook = runpy.run_path(str(DOCS / "hooks/results.py"))
    page, tables = (DOCS / hook["PAGE"]).read_text(), hook["tables"]()
    assert page.count(hook["MARK"]) == 1
    source = (ROOT / "benchmarks/results/README.md").read_text()
    lines = [line for line in source.splitlines() if line.startswith(("|", "credprop "))]
    assert lines == [line for line in tables.splitlines() if line.startswith(("|", "credprop "))]
    assert not re.search(r"^##? ", tables, re.MULTILINE)
