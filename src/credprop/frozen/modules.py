"""What makes a network what it is, as a digest: weights, parts, settings and code."""

import inspect
import re
from hashlib import blake2b
from uuid import uuid4

import torch
from torch import nn

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # where an object lies is another place every time


def digest_weights(module: nn.Module) -> str:
    """A digest of all parameters and buffers, by name."""
    digest = blake2b(digest_size=8)
    for name, values in module.state_dict().items():
        digest.update(f"{name} {values.dtype} {tuple(values.shape)}\n".encode())
        plain = values.detach().cpu().contiguous().flatten()
        digest.update(plain.view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()


def describe_module(module: nn.Module) -> str:
    """A digest of everything that the output can depend on: weights, parts, their attributes and code."""
    digest = blake2b(digest_weights(module).encode(), digest_size=16)
    kinds = set()
    for name, part in module.named_modules():
        own = {key: value for key, value in vars(part).items() if not key.startswith("_")}
        digest.update(_ADDRESS.sub("", f"{name} {type(part)} {own}\n").encode())
        kinds.add(type(part))
    for kind in sorted(kinds, key=repr):
        digest.update(_code(kind).encode())
    return digest.hexdigest()


def _code(kind: type) -> str:
    """The source of a class; where it cannot be seen, something that is never the same again."""
    if kind.__module__.startswith("torch."):
        return ""
    try:
        return inspect.getsource(kind)
    except (OSError, TypeError):
        return uuid4().hex
