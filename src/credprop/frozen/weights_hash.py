"""Digests of a network: of its weights, or of everything that its output can depend on."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from hashlib import blake2b
from itertools import chain
from typing import Any
from uuid import uuid4

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # the address of an object differs from run to run
_EVERY_MODULE_S = frozenset(vars(nn.Module()))


def digest_weights(module: nn.Module) -> str:
    """A digest of all parameters and buffers, by name."""
    digest = blake2b(digest_size=8)
    buffers = module.named_buffers(remove_duplicate=False)  # also those that are not saved
    for name, values in chain(module.named_parameters(remove_duplicate=False), buffers):
        digest.update(f"{name} {_describe(values)}\n".encode())
    return digest.hexdigest()


def digest_module(module: nn.Module, above: frozenset[int] = frozenset()) -> str:
    """A digest of everything that the output can depend on: weights, submodules, attributes and code."""
    digest = blake2b(digest_weights(module).encode(), digest_size=16)
    within = above | {id(part) for part in module.modules()}
    kinds: set[type[nn.Module]] = set()
    for name, part in module.named_modules(remove_duplicate=False):
        digest.update(f"{name} {type(part)} {_describe(_own(part), within)}\n".encode())
        kinds.update(kind for kind in type(part).__mro__ if issubclass(kind, nn.Module))
    for kind in sorted(kinds, key=repr):
        digest.update(_code(kind).encode())
    return digest.hexdigest()


def _own(part: nn.Module) -> list[Any]:
    """The attributes and forward hooks of a module, without weights and submodules."""
    own = {key: value for key, value in vars(part).items() if key not in _EVERY_MODULE_S}
    return [own, list(part._forward_pre_hooks.values()), list(part._forward_hooks.values())]


def _describe(value: Any, above: frozenset[int] = frozenset()) -> str:
    """A value as text that differs for different values; `above` are the objects that contain it."""
    if id(value) in above:
        return "..."
    if isinstance(value, Tensor | np.ndarray) and value.dtype != object:
        return f"{value.dtype} {tuple(value.shape)} {_digest(value)}"
    if isinstance(value, nn.Module):
        return digest_module(value, above)
    if inspect.isfunction(value) or inspect.ismethod(value):
        return f"{value.__qualname__} {_code(value)}"
    if (held := _held(value)) is None:
        return _ADDRESS.sub("", repr(value))
    parts = [_describe(part, above | {id(value)}) for part in held]
    return f"{type(value)} {sorted(parts) if isinstance(value, set | frozenset) else parts}"


def _held(value: Any) -> list[Any] | None:
    """The content of a value whose repr is incomplete; None where the repr is complete."""
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    if isinstance(value, np.ndarray):
        return list(value.flat)
    if isinstance(value, type) or not hasattr(value, "__dict__"):
        return None
    return [vars(value)] if is_dataclass(value) or _ADDRESS.search(repr(value)) else None


def _digest(values: Tensor | NDArray[Any]) -> str:
    """A digest of the bytes."""
    if isinstance(values, Tensor):
        values = values.detach().cpu().contiguous().flatten().view(torch.uint8).numpy()
    return blake2b(values.tobytes(), digest_size=16).hexdigest()


def _code(kind: Any) -> str:
    """The source of a class or function; where there is none, something unique."""
    if kind.__module__.startswith("torch."):
        return ""
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):
        return uuid4().hex
