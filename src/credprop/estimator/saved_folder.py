"""The files of a saved classifier, read and checked; every fault is a ValueError that names the file."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from torch import Tensor

from credprop import __version__
from credprop.data.error_text import first_line
from credprop.prepare import TOKENIZER

FORMAT = 4
_TYPES: dict[str, Any] = {
    "parameters": dict,
    "seed": int,
    "steps": int,
    "iterations": int,
    "certificate": dict | None,
    "label_noise": float | None,
    "trusted_right": list | None,
    "trust_labels": bool | str,
    "classes": list,
    "classes_type": str,
    "n_features_in": int | None,
    "feature_names_in": list,
    "sample_shape": list,
    "preparation": dict,
    "files": dict,
    "network": dict,
    "settings": dict,
    "sha256": str,
}


def read_config(folder: Path) -> dict[str, Any]:
    """The content of the folder's `config.json`, if its format can be read."""
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        what = "has no config.json" if folder.is_dir() else "is not a folder"
        raise ValueError(f"{folder} {what}; give the run folder of a finished run") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read ({error}); refit the model") from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        found = config.get("format") if isinstance(config, dict) else None
        raise ValueError(
            f"{path} has format {found!r}; credprop {__version__} reads format {FORMAT}: "
            "use the version that wrote it, or refit the model"
        )
    for name, kind in _TYPES.items():
        if name not in config or not isinstance(config[name], kind):
            raise ValueError(f"{path} is damaged ({name!r} is missing or of a wrong type); refit the model")
    return config


@contextmanager
def errors_of(folder: Path, *errors: type[Exception]) -> Iterator[None]:
    """These errors, as a ValueError about the damaged folder."""
    try:
        yield
    except errors as error:
        raise ValueError(f"{folder} is damaged ({first_line(error)}); refit the model") from error


def read_tensors(path: Path, digest: str) -> dict[str, Tensor]:
    """The tensors of the file, if it has this digest."""
    try:
        return load_tensors(_read(path, digest))
    except SafetensorError as error:
        raise ValueError(f"{path} cannot be read ({error}); refit the model") from error


def read_files(folder: Path, digests: dict[str, Any]) -> dict[str, str]:
    """The other files that the config names; only those that a preparation can have."""
    if unknown := sorted(set(digests) - {TOKENIZER}):
        raise ValueError(f"{folder} is damaged (unknown file {unknown[0]!r}); refit the model")
    return {name: _read(folder / name, digest).decode() for name, digest in digests.items()}


def read_history(path: Path) -> list[dict[str, Any]]:
    """The lines of the history."""
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} cannot be read ({error}); refit the model") from error


def _read(path: Path, digest: Any) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error}); refit the model") from error
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"{path} is damaged or from another run than config.json; refit the model")
    return content
