"""Code by its import path, and what stands for code that may not be imported."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class NotImported:
    """Stands for code that a folder names and the caller did not allow to import."""

    path: str

    def __call__(self, *_: Any, **__: Any) -> Any:
        """Say what to do instead of running it."""
        raise ValueError(
            f"{self.path} was not imported; load with allow_import=True if you trust the folder, or set "
            "another with set_params"
        )


def imported(path: str) -> Callable[..., Any]:
    """What an import path `module:name` names."""
    module, _, name = path.partition(":")
    try:
        found = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"cannot import {path!r}: {error}") from error
    return found  # type: ignore[return-value]


def import_path(thing: Any) -> str:
    """The import path of a function, or of a thing's class."""
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}:{named.__qualname__}"
