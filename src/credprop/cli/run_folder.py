"""A RUN folder: may it be written, what is in it, is it finished.

All that a run writes lies in `checkpoint/` until it is complete and then takes its place in one go, so that
a run which fails leaves what was there before as it was.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from credprop.files import write_whole

FILES = (
    "model.safetensors",
    "labels.csv",
    "history.jsonl",
    "metrics.json",
    "report.json",
    "report.html",
    "README.md",
    "tokenizer.json",  # of texts that a network reads
    "config.json",  # the last: a folder that has it is complete
)
_OPTIONAL = {"tokenizer.json"}
_WORK, _NEW = "checkpoint", "new"


def is_finished(out: Path) -> bool:
    """Whether a run was written here to its end, and none is under way."""
    return _is_complete(out) and not _job(out).exists()


def checkpoint_of(out: Path) -> Path:
    """Where a run under way is saved."""
    return out / _WORK / "run.safetensors"


def check_folder(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool, resume: bool) -> None:
    """An error where the folder may not be used as asked."""
    if overwrite and resume:
        raise ValueError("--overwrite starts anew and --resume goes on; give one of them")
    try:
        if out.exists() and not out.is_dir():
            raise ValueError(f"{out} is a file; name a folder with --out")
        if out.is_dir() and any(out.iterdir()):
            _check_run(out, fingerprint, overwrite=overwrite, resume=resume)
    except OSError as error:
        raise _not_writable(out, error) from error


def check_same(out: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuse to go on with other data or settings."""
    other = [name for name in now if before.get(name) != now[name]]
    if other:
        raise ValueError(f"{out} is a run with other {', '.join(other)}; use --overwrite, or another --out")


def check_writable(folder: Path) -> None:
    """An error where no file can be made in the folder."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder; name a file in one that exists with --out")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{folder} cannot be written to; name a file in another folder with --out")


@contextmanager
def prepared(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool) -> Iterator[Path]:
    """Where to put what shall be in the folder; if it proves impossible, all is as it was before."""
    existed = out.exists()
    new = out / _WORK / _NEW
    try:
        if overwrite:
            shutil.rmtree(out / _WORK, ignore_errors=True)
        new.mkdir(parents=True, exist_ok=True)
        write_whole(_job(out), json.dumps(dict(fingerprint)))
    except OSError as error:
        _take_away(out, existed)
        raise _not_writable(out, error) from error
    goes_on = checkpoint_of(out).exists()
    try:
        yield new
    except ValueError as error:
        if not checkpoint_of(out).exists():
            _take_away(out, existed)
        elif not goes_on:  # input that could be learned from is not wrong; what was learned is kept
            raise RuntimeError(str(error)) from error
        raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def publish(out: Path, new: Path) -> None:
    """Put a complete run in its place, in that of an older one if there was, and end the work."""
    (out / "config.json").unlink(missing_ok=True)
    for name in FILES:
        if name in _OPTIONAL and not (new / name).exists():
            (out / name).unlink(missing_ok=True)
        else:
            (new / name).replace(out / name)
    _job(out).unlink()
    shutil.rmtree(out / _WORK, ignore_errors=True)


def _check_run(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool, resume: bool) -> None:
    """An error where what is in the folder is not a run, or not to be touched."""
    job = _job(out)
    if not _is_complete(out) and not job.exists():
        raise ValueError(f"{out} holds files that are not of a run; name another folder with --out")
    if not overwrite and not resume:
        state = "a finished run" if is_finished(out) else "an unfinished run"
        raise ValueError(f"{out} holds {state}; --overwrite starts anew, --resume goes on where it stopped")
    if resume and job.exists():
        check_same(out, _read_dict(job), fingerprint)


def _is_complete(out: Path) -> bool:
    """Whether a run's last file is here, and ours."""
    return "credprop" in _read_dict(out / "config.json")


def _job(out: Path) -> Path:
    return out / _WORK / "job.json"


def _read_dict(path: Path) -> dict[str, Any]:
    """What a JSON file holds, nothing where it holds no such thing."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, UnicodeDecodeError, json.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def _take_away(out: Path, existed: bool) -> None:
    shutil.rmtree(out / _WORK if existed else out, ignore_errors=True)


def _not_writable(out: Path, error: OSError) -> ValueError:
    reason = error.strerror or error
    return ValueError(f"{out} cannot be written ({reason}); name another folder with --out")
