"""Values in JSON's terms and back: of code its import path, which is followed only where that is allowed."""

import dataclasses
import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np

from credprop.augment import ImageAugment, TextAugment, VectorAugment, identity
from credprop.ccp import ADDITIONS, Additions
from credprop.estimator.paths import NotImported, import_path, imported
from credprop.networks import TextNetwork
from credprop.training import Phase

_MADE_BY = "made by"
_THINGS: tuple[Any, ...] = (
    ImageAugment,
    TextAugment,
    VectorAugment,
    identity,
    Phase,
    TextNetwork,
    Additions,
    *ADDITIONS,
)
_OURS = {import_path(thing): thing for thing in _THINGS}


def in_json(value: Any) -> Any:
    """A value in JSON's terms: of code its import path, of a dataclass its path and fields."""
    return json.loads(json.dumps(value, default=_described))


def restored(value: Any, allow_import: bool) -> Any:
    """What `in_json` described; code that is not ours only if it may be imported."""
    if isinstance(value, list | tuple):
        return type(value)(restored(part, allow_import) for part in value)
    if not isinstance(value, dict):
        return value
    fields = {name: restored(part, allow_import) for name, part in value.items() if name != _MADE_BY}
    if _MADE_BY not in value:
        return fields
    path = str(value[_MADE_BY])
    if path not in _OURS and not allow_import:
        return NotImported(path)
    thing: Any = _OURS[path] if path in _OURS else imported(path)
    if not inspect.isclass(thing):
        return thing
    return thing(**{name: tuple(part) if isinstance(part, list) else part for name, part in fields.items()})


def _described(value: Any) -> Any:
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
