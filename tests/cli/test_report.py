"""`credprop report` redraws a page from saved results."""

import json
from pathlib import Path

import pytest

from cli.shell import (
    credprop,
    error_line,
)


@pytest.mark.parametrize("content", ["", "[1, 2]", "{}", '{"a": 1}'])
def test_a_report_without_what_it_is_drawn_from_is_refused(run: Path, content: str) -> None:
    (run / "report.json").write_text(content)
    assert "report.json" in error_line(credprop("report", run))


def test_the_report_is_drawn_again(run: Path) -> None:
    page = (run / "report.html").read_bytes()
    (run / "report.html").unlink()
    result = credprop("report", run, "--json")
    assert json.loads(result.stdout) == {"report": str(run / "report.html")}
    assert (run / "report.html").read_bytes() == page


def test_a_bench_without_finished_runs_has_a_page_too(tmp_path: Path) -> None:
    (tmp_path / "bench.json").write_text("{}")
    assert credprop("report", tmp_path).exit_code == 0
    assert "No run has finished yet" in (tmp_path / "bench.html").read_text(encoding="utf-8")
    (tmp_path / "bench.json").write_text("{")
    assert credprop("report", tmp_path).exit_code == 2
