"""A RUN folder: may it be written, what is in it, is it finished."""

import contextlib
import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from credprop.files import write_whole

FILES = (
    "config.json",
    "model.safetensors",
    "labels.csv",
    "history.jsonl",
    "metrics.json",
    "report.json",
    "report.html",
    "README.md",
)
_WORK = "checkpoint"


def is_finished(out: Path) -> bool:
    """Whether a run was written here to its end."""
    return (out / "config.json").exists()


def checkpoint_of(out: Path) -> Path:
    """Where a run under way is saved."""
    return out / _WORK / "run.safetensors"


@contextmanager
def prepared(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool, resume: bool) -> Iterator[None]:
    """A folder to work in; if the input turns out to be wrong, a folder made for it is taken away again."""
    existed = _check_folder(out, fingerprint, overwrite=overwrite, resume=resume)
    try:
        if overwrite:
            _clear(out)
        (out / _WORK).mkdir(parents=True, exist_ok=True)
        write_whole(out / _WORK / "job.json", json.dumps(dict(fingerprint)))
    except OSError as error:
        reason = error.strerror or error
        raise ValueError(f"{out} cannot be written ({reason}); name another folder with --out") from error
    try:
        yield
    except ValueError:
        if not existed:
            shutil.rmtree(out, ignore_errors=True)
        elif not checkpoint_of(out).exists():
            shutil.rmtree(out / _WORK, ignore_errors=True)
        raise


def finish(out: Path) -> None:
    """Take away what only an unfinished run needs."""
    shutil.rmtree(out / _WORK, ignore_errors=True)


def check_same(out: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to go on with other data or settings."""
    other = [name for name in now if before.get(name) != now[name]]
    if other:
        raise ValueError(f"{out} is a run with other {', '.join(other)}; use --overwrite, or another --out")


def _check_folder(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool, resume: bool) -> bool:
    """Whether the folder exists; an error where it may not be used as asked."""
    if overwrite and resume:
        raise ValueError("--overwrite starts anew and --resume goes on; give one of them")
    if not out.exists():
        return False
    if not out.is_dir():
        raise ValueError(f"{out} is a file; name a folder with --out")
    if any(out.iterdir()):
        _check_run(out, fingerprint, overwrite=overwrite, resume=resume)
    return True


def _check_run(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool, resume: bool) -> None:
    """An error where what is in the folder is not a run, or not to be touched."""
    job = out / _WORK / "job.json"
    if not is_finished(out) and not job.exists():
        raise ValueError(f"{out} holds files that are not of a run; name another folder with --out")
    if not overwrite and not resume:
        state = "a finished run" if is_finished(out) else "an unfinished run"
        raise ValueError(f"{out} holds {state}; --overwrite starts anew, --resume goes on where it stopped")
    if resume and job.exists():
        with contextlib.suppress(json.JSONDecodeError):
            check_same(out, json.loads(job.read_text(encoding="utf-8")), fingerprint)


def _clear(out: Path) -> None:
    for name in FILES:
        (out / name).unlink(missing_ok=True)
    shutil.rmtree(out / _WORK, ignore_errors=True)
