"""The page of a bench: drawn from its rows, after every bench and whenever asked for."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from credprop import __version__
from credprop.bench import digest, read_about, read_results
from credprop.bench.results_folder import ABOUT
from credprop.files import write_whole
from credprop.report.of_bench import make_comparison, render_comparison

PAGE = "bench.html"


def is_bench(folder: Path) -> bool:
    """Whether a folder is a bench's."""
    return (folder / ABOUT).is_file()


def write_page(out: Path, rows: Sequence[Mapping[str, Any]] | None = None) -> Path:
    """The path of the page, written from these rows or else from those that the folder holds."""
    there = read_results(out) if rows is None else [dict(row) for row in rows]
    content = make_comparison(digest(there), read_about(out), __version__)
    write_whole(out / PAGE, render_comparison(content))
    return (out / PAGE).resolve()
