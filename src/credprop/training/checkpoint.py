"""A run on disk: one safetensors file with JSON in its header, written whole or not at all."""

import json
import os
from pathlib import Path
from typing import Any

from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor

FORMAT = 1


def save_checkpoint(path: Path, tensors: dict[str, Tensor], numbers: dict[str, Any]) -> None:
    """Replace the checkpoint at `path` in one step."""
    header = {"format": str(FORMAT), "numbers": json.dumps(numbers)}
    content = save({name: t.detach().cpu().contiguous() for name, t in tensors.items()}, metadata=header)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def load_checkpoint(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Tensors and numbers of the checkpoint at `path`."""
    with safe_open(path, framework="pt") as file:
        header = file.metadata()
        if header is None or header.get("format") != str(FORMAT):
            raise ValueError(f"{path} is not a checkpoint of this version of credprop; start the run anew")
        return {name: file.get_tensor(name) for name in list(file.keys())}, json.loads(header["numbers"])
