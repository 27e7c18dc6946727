"""Checkpoints: one safetensors file with tensors, and numbers as JSON, written completely or not at all."""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from credprop.files import write_whole

FORMAT = 2
_NUMBERS = "numbers.json"  # a tensor of bytes: the header of a file is limited in size, a history is not


def save_checkpoint(path: Path, tensors: dict[str, Tensor], numbers: dict[str, Any]) -> None:
    """Replace the checkpoint at `path` in one step."""
    # Clones, because an encoder may have one tensor under two names.
    held = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    text = json.dumps({"format": FORMAT} | numbers)
    held[_NUMBERS] = torch.frombuffer(bytearray(text.encode()), dtype=torch.uint8)
    write_whole(path, save(held))


def load_checkpoint(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Tensors and numbers of the checkpoint at `path`."""
    try:
        tensors = load(path.read_bytes())
    except SafetensorError as error:
        raise ValueError(f"{path} is damaged ({error}); delete it to restart") from error
    numbers = json.loads(tensors.pop(_NUMBERS).numpy().tobytes()) if _NUMBERS in tensors else {}
    if numbers.pop("format", None) != FORMAT:
        raise ValueError(f"{path} is not a checkpoint of this version of credprop; delete it to restart")
    return tensors, numbers
