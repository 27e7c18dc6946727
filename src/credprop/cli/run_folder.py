"""A run folder: whether it can be written, what it contains, whether it is finished.

Output is staged in `checkpoint/` and moved into place when it is complete, so that a failed run leaves an
existing one unchanged.
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
    "tokenizer.json",  # only with the text network
    "config.json",  # written last: marks the folder as complete
)
_OPTIONAL = {"tokenizer.json"}
_CHECKPOINT, _STAGING = "checkpoint", "new"


def is_finished(out: Path) -> bool:
    """Whether the folder holds a finished run and none in progress."""
    return _is_complete(out) and not _job(out).exists()


def checkpoint_of(out: Path) -> Path:
    """The folder with the checkpoints of a run in progress."""
    return out / _CHECKPOINT / "training"


def check_folder(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool, resume: bool) -> None:
    """Raise if the folder cannot be used with these options."""
    if overwrite and resume:
        raise ValueError("--overwrite restarts the run and --resume continues it; use only one of them")
    try:
        if out.exists() and not out.is_dir():
            raise ValueError(f"{out} is a file; use a folder with --out")
        if out.is_dir() and any(out.iterdir()):
            _check_run(out, fingerprint, overwrite=overwrite, resume=resume)
    except OSError as error:
        raise _not_writable(out, error) from error


def check_same(out: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise if data or settings differ from those of the existing run."""
    changed = [name for name in now if before.get(name) != now[name]]
    if changed:
        raise ValueError(
            f"{out} was created with different {', '.join(changed)}; use --overwrite, or another --out folder"
        )


def check_writable(folder: Path) -> None:
    """Raise if no file can be created in the folder."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder; use a file in an existing folder with --out")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{folder} is not writable; use a file in another folder with --out")


@contextmanager
def staged(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool) -> Iterator[Path]:
    """The folder in which to write new files; if the input turns out invalid, nothing changes."""
    existed = out.exists()
    staging = out / _CHECKPOINT / _STAGING
    try:
        if overwrite:
            shutil.rmtree(out / _CHECKPOINT, ignore_errors=True)
        staging.mkdir(parents=True, exist_ok=True)
        write_whole(_job(out), json.dumps(dict(fingerprint)))
    except OSError as error:
        _remove(out, existed)
        raise _not_writable(out, error) from error
    resumed = checkpoint_of(out).exists()
    try:
        yield staging
    except ValueError as error:
        if not checkpoint_of(out).exists():
            _remove(out, existed)
        elif not resumed:  # training had started, so the input was valid: keep the checkpoint
            raise RuntimeError(str(error)) from error
        raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def publish(out: Path, staging: Path) -> None:
    """Move the files of a complete run into place, replacing an older run, and remove the checkpoint."""
    (out / "config.json").unlink(missing_ok=True)
    for name in FILES:
        if name in _OPTIONAL and not (staging / name).exists():
            (out / name).unlink(missing_ok=True)
        else:
            (staging / name).replace(out / name)
    _job(out).unlink()
    shutil.rmtree(out / _CHECKPOINT, ignore_errors=True)


def _check_run(out: Path, fingerprint: Mapping[str, Any], *, overwrite: bool, resume: bool) -> None:
    """Raise if the folder does not hold a run, or holds one that may not be changed."""
    job = _job(out)
    if not _is_complete(out) and not job.exists():
        raise ValueError(f"{out} holds files that are not part of a run; use another folder with --out")
    if not overwrite and not resume:
        state = "a finished run" if is_finished(out) else "an unfinished run"
        raise ValueError(f"{out} holds {state}; use --overwrite to replace it or --resume to continue it")
    if resume and job.exists():
        check_same(out, _read_dict(job), fingerprint)


def _is_complete(out: Path) -> bool:
    """Whether the file that is written last exists and is from credprop."""
    return "credprop" in _read_dict(out / "config.json")


def _job(out: Path) -> Path:
    return out / _CHECKPOINT / "job.json"


def _read_dict(path: Path) -> dict[str, Any]:
    """The dictionary in a JSON file; empty if there is none."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, UnicodeDecodeError, json.JSONDecodeError):
        return {}
    return content if isinstance(content, dict) else {}


def _remove(out: Path, existed: bool) -> None:
    shutil.rmtree(out / _CHECKPOINT if existed else out, ignore_errors=True)


def _not_writable(out: Path, error: OSError) -> ValueError:
    reason = error.strerror or error
    return ValueError(f"{out} cannot be written ({reason}); use another folder with --out")
