"""What two runs must have in common for one to go on where the other stopped."""

import dataclasses
import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from credprop.ccp.state import State
from credprop.data import Tokens
from credprop.data.dataset import Rows, read_rows

_ROWS = 256  # of a data set that is not in memory, evenly spread, stand for all of it
_CHUNK = 4096  # rows read at once


def describe(state: State, seed: int) -> dict[str, Any]:
    """Data, settings, seed and means of a run before its first step, by name, in JSON's terms."""
    data = state.data
    tensors = {
        name: getattr(data, name) for name in ("labels", "guesses", "truth", "gold", "doubted", "groups")
    }
    hashes = {name: None if t is None else [*t.shape, _hash(t)] for name, t in tensors.items()}
    settings = {
        f.name: _in_words(getattr(state.settings, f.name)) for f in dataclasses.fields(state.settings)
    }
    weights = _hash(*state.model.state_dict().values())
    compute = [state.compute.device.type, state.compute.precision]
    own = {
        "x": _hash(*_chunks(data.x.ids if isinstance(data.x, Tokens) else data.x)),
        "rows": len(data),
        "k": data.k,
        "seed": seed,
        "watch": list(state.watch),
        "compute": compute,
    }
    return hashes | settings | own | {"first weights": weights}


def _chunks(x: Rows) -> Iterator[Tensor]:
    """All rows of an array, chunk by chunk; of other data sets a few rows."""
    if isinstance(x, np.ndarray | Tensor):
        for start in range(0, len(x), _CHUNK):
            chunk = x[start : start + _CHUNK]
            yield chunk if isinstance(chunk, Tensor) else torch.from_numpy(chunk.copy())
    else:
        yield read_rows(x, torch.linspace(0, len(x) - 1, min(_ROWS, len(x))).long())


def _hash(*tensors: Tensor) -> str:
    digest = hashlib.sha256()
    for tensor in tensors:
        digest.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def _in_words(value: Any) -> str:
    """A setting as text that is the same in every process: of functions the name, not the address."""
    if dataclasses.is_dataclass(value) or isinstance(value, nn.Module) or not callable(value):
        return repr(value)
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{named.__module__}.{named.__qualname__}"
