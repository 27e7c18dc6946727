"""Every failure has an exit status and a one-line message."""

import errno
import warnings
from pathlib import Path

import pytest

from cli.shell import error_line, fit, table
from credprop.cli.errors import NotProvenError, run_safely
from credprop.files import write_whole

FAILURES: list[tuple[BaseException, int, str]] = [
    (ValueError("t.csv: two\nlines"), 2, "t.csv: two lines"),
    (MemoryError(), 1, "out of memory; use fewer rows"),
    (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"), 1, "out of memory"),
    (RuntimeError("no kernel"), 1, "RuntimeError: no kernel (use --debug for the traceback)"),
    (OSError(errno.ENOSPC, "No space left", "f.csv"), 1, "No space left: f.csv; fix this, then do so"),
    (OSError("odd"), 1, "odd; fix this, then do so"),
    (NotProvenError("not proven"), 4, "not proven"),
    (KeyboardInterrupt(), 130, "interrupted; do so"),
]


@pytest.mark.parametrize(("error", "status", "words"), FAILURES, ids=[repr(f[0])[:30] for f in FAILURES])
@pytest.mark.parametrize("debug", [False, True])
def test_a_failure_is_a_status_and_a_line(
    error: BaseException, status: int, words: str, debug: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(SystemExit) as ended:
        run_safely(fail, debug=debug, hint="do so")
    told = capsys.readouterr()
    assert ended.value.code == status
    assert told.out == ""
    assert told.err.splitlines()[-1].startswith(f"credprop: {words}")
    assert ("Traceback" in told.err) is debug
    assert debug or told.err.count("\n") == 1


def test_warnings_of_libraries_are_for_programmers(capsys: pytest.CaptureFixture[str]) -> None:
    run_safely(lambda: warnings.warn("deprecated", DeprecationWarning, stacklevel=1), debug=False)
    assert capsys.readouterr().err == ""


def test_a_file_that_cannot_be_written_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "no" / "file"):
        with pytest.raises(OSError, match=r"\S") as caught:
            write_whole(path, "content")
        assert caught.value.filename == str(path)
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_the_traceback_shows_only_with_debug(tmp_path: Path) -> None:
    result = fit(tmp_path / "no.csv", tmp_path / "run", "--debug")
    assert result.exit_code == 2
    assert "Traceback" in result.stderr


def test_an_error_about_a_huge_name_is_cut_short(tmp_path: Path) -> None:
    message = error_line(fit(table(tmp_path), tmp_path / "run", "--quiet", "--preset", "x" * 10_000))
    assert len(message) < 1100
