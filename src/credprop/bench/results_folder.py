"""The folder of a bench: a description in bench.json, and one line per run in results.jsonl."""

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
    """Versions of the software that results depend on."""
    return {name: version(name) for name in _LIBRARIES} | {"python": platform.python_version()}


@functools.cache
def source_hash() -> str:
    """A hash of the source code: another version may give other results."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def check_folder(out: Path, identity: Mapping[str, Any]) -> None:
    """Raise if the folder holds anything but a bench of the same data."""
    if not out.exists():
        return
    if not out.is_dir():
        raise ValueError(f"{out} is a file; use a folder with --out")
    if not any(out.iterdir()):
        return
    try:
        before = json.loads((out / ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(
            f"{out} holds files that are not part of a bench; use another folder with --out"
        ) from error
    changed = [name for name in identity if before.get(name) != identity[name]]
    if changed:
        raise ValueError(
            f"{out} was created with different {', '.join(changed)}; use another folder with --out"
        )


@contextlib.contextmanager
def open_results(
    out: Path, identity: Mapping[str, Any], wanted: Set[Key], command: str = ""
) -> Iterator[list[Row]]:
    """Lock the folder and return its existing rows.

    Removes an incomplete last line left by a killed bench, and failed runs that are `wanted` again. Stores
    the command if it is new.
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
    """The description of a bench: data, preset, cells, versions and commands; empty if there is none."""
    try:
        about = json.loads((out / ABOUT).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ValueError(f"{out / ABOUT} cannot be read ({error}); use another folder with --out") from error
    return about if isinstance(about, dict) else {}


def append(out: Path, row: Row) -> None:
    """Append a row in one write."""
    with (out / RESULTS).open("ab", buffering=0) as file:
        file.write(_line(row).encode())
        os.fsync(file.fileno())


def read_results(out: Path) -> list[Row]:
    """The rows of a bench, the last one of each run; an incomplete last line is ignored."""
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
            raise ValueError(
                f"{out / RESULTS}:{number} is not a result of a bench; delete this line"
            ) from error
    return list(rows.values())


def run_key(row: Mapping[str, Any]) -> Key:
    """The key that identifies a run."""
    return row["scenario"], row["severity"], row["method"], row["seed"]


def _line(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n"


@contextlib.contextmanager
def _locked(out: Path) -> Iterator[None]:
    """Lock the folder until exit, on systems with file locks. The lock ends with the process."""
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
                f"another bench is writing to {out}; wait for it, or use another folder with --out"
            ) from error
        yield
    finally:
        os.close(folder)
