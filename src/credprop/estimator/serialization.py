"""Values to JSON and back; code is saved as its import path, which is imported only if that is allowed."""

import dataclasses
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from credprop.augment import ImageAugment, TextAugment, VectorAugment, identity
from credprop.ccp import ADDITIONS, Additions
from credprop.networks import TextNetwork
from credprop.training import Phase

_MADE_BY = "made by"
_AUGMENTS = (ImageAugment, TextAugment, VectorAugment, identity)
_THINGS: tuple[Any, ...] = (*_AUGMENTS, Phase, TextNetwork, Additions, *ADDITIONS)
_OURS = {thing.__qualname__: thing for thing in _THINGS}


@dataclass(frozen=True)
class NotImported:
    """Placeholder for code that a folder names and that the caller did not allow to be imported."""

    path: str

    def __call__(self, *_: Any, **__: Any) -> Any:
        """Raise an error that says what to do."""
        raise ValueError(
            f"{self.path} was not imported; load with allow_import=True if you trust the folder, or set "
            "another with set_params"
        )


def to_json(value: Any) -> Any:
    """A value in JSON's types: code as its import path, a dataclass as its path and fields."""
    return json.loads(json.dumps(value, default=_jsonable))


def from_json(value: Any, allow_import: bool) -> Any:
    """The value that `to_json` was given; code that is not ours only if it may be imported."""
    if isinstance(value, list | tuple):
        return type(value)(from_json(part, allow_import) for part in value)
    if not isinstance(value, dict):
        return value
    fields = {name: from_json(part, allow_import) for name, part in value.items() if name != _MADE_BY}
    if _MADE_BY not in value:
        return fields
    path = str(value[_MADE_BY])
    if (thing := _ours(path)) is None:
        if not allow_import:
            return NotImported(path)
        thing = import_object(path)
    if not inspect.isclass(thing):
        return thing
    return thing(**{name: tuple(part) if isinstance(part, list) else part for name, part in fields.items()})


def import_object(path: str) -> Callable[..., Any]:
    """The function or class of an import path `module:name`."""
    module, _, name = path.partition(":")
    try:
        found = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"cannot import {path!r}: {error}") from error
    return found  # type: ignore[return-value]


def import_path(thing: Any) -> str:
    """The import path of a function or class, or of an object's class."""
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}:{named.__qualname__}"


def _ours(path: str) -> Any:
    """Our object of this import path, whichever module held it when the path was written; else None."""
    module, _, name = path.partition(":")
    return _OURS.get(name) if module.startswith("credprop.") else None


def _jsonable(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, range | set):
        return list(value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, NotImported):
        return {_MADE_BY: value.path}
    fields = vars(value) if dataclasses.is_dataclass(value) and not inspect.isclass(value) else {}
    return {_MADE_BY: import_path(value)} | fields
