"""A bench's folder: what it is a bench of, and a line for every run."""

import contextlib
import functools
import hashlib
import json
import os
import platform
from collections.abc import Iterator, Mapping, Set
from importlib.metadata import version
from pathlib import Path
from typing import Any

from credprop.files import write_whole

RESULTS, ABOUT = "results.jsonl", "bench.json"
_LIBRARIES = ("credprop", "torch", "numpy", "scikit-learn")
Row = dict[str, Any]
Key = tuple[str, int, str, int]  # scenario, severity, method, seed


def versions() -> dict[str, str]:
    """What the results may hang on besides the data."""
    return {name: version(name) for name in _LIBRARIES} | {"python": platform.python_version()}


@functools.cache
def code() -> str:
    """A digest of the program itself: it may not repeat the rows that another one made."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def check_folder(out: Path, identity: Mapping[str, Any]) -> None:
    """Refuse a folder that holds something else than a bench of the same data."""
    if not out.exists():
        return
    if not out.is_dir():
        raise ValueError(f"{out} is a file; name a folder with --out")
    if not any(out.iterdir()):
        return
    try:
        before = json.loads((out / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{out} holds files that are not of a bench; name another folder with --out"
        ) from error
    other = [name for name in identity if before.get(name) != identity[name]]
    if other:
        raise ValueError(f"{out} is a bench with other {', '.join(other)}; name another folder with --out")


@contextlib.contextmanager
def opened(
    out: Path, identity: Mapping[str, Any], wanted: Set[Key], command: str = ""
) -> Iterator[list[Row]]:
    """The rows that are there, in a folder that no other bench writes to meanwhile.

    Half a line that a killed bench left is cut off, and so are failed runs that are `wanted` again. The
    command is remembered, once.
    """
    check_folder(out, identity)
    out.mkdir(parents=True, exist_ok=True)
    with _locked(out):
        about = read_about(out) or dict(identity) | {"versions": versions()}
        commands = dict.fromkeys([*about.get("commands", ()), *filter(None, [command])])
        if not (out / ABOUT).exists() or list(commands) != about.get("commands", []):
            about |= {"commands": list(commands)}
            write_whole(out / ABOUT, json.dumps(about, indent=1, ensure_ascii=False) + "\n")
        rows = [row for row in read_results(out) if row["error"] is None or run_key(row) not in wanted]
        write_whole(out / RESULTS, "".join(map(_line, rows)))
        yield rows


def read_about(out: Path) -> dict[str, Any]:
    """What a folder is a bench of: its data, preset, cells, versions and commands; nothing if it is none."""
    try:
        about = json.loads((out / ABOUT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(f"{out / ABOUT} cannot be read ({error}); start the bench anew") from error
    return about if isinstance(about, dict) else {}


def append(out: Path, row: Row) -> None:
    """Write a row behind the others, in one piece."""
    with (out / RESULTS).open("ab", buffering=0) as file:
        file.write(_line(row).encode())
        os.fsync(file.fileno())


def read_results(out: Path) -> list[Row]:
    """The rows of a bench, the last one of each run; a line that was cut off is no row."""
    try:
        lines = (out / RESULTS).read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    rows: dict[Key, Row] = {}
    for number, line in enumerate(lines[:-1], start=1):  # the last one has no end
        try:
            row = json.loads(line)
            rows[run_key(row)] = row
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{out / RESULTS}:{number} is no row of a bench; delete the line") from error
    return list(rows.values())


def run_key(row: Mapping[str, Any]) -> Key:
    """What makes a run the run it is."""
    return row["scenario"], row["severity"], row["method"], row["seed"]


def _line(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"


@contextlib.contextmanager
def _locked(out: Path) -> Iterator[None]:
    """Hold the folder; where the system has no such locks, trust the user. The lock dies with the process."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = os.open(out, os.O_RDONLY)
    try:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ValueError(
                f"another bench is writing to {out}; wait for it, or name another --out"
            ) from error
        yield
    finally:
        os.close(folder)
