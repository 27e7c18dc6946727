"""Where to compute, and in what precision."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, get_args

import torch

Precision = Literal["float32", "bfloat16"]


@dataclass(frozen=True)
class Compute:
    """Where and how precisely networks are computed."""

    device: torch.device
    precision: Precision = "float32"

    def __post_init__(self) -> None:
        if self.precision not in get_args(Precision):
            raise ValueError(f"unknown precision {self.precision!r}; use float32 or bfloat16")

    def autocast(self) -> AbstractContextManager[object]:
        """Networks in this precision; the core raises what it needs to float32 by itself."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.precision == "bfloat16")


def choose_compute(device: str | None = None, precision: Precision = "float32") -> Compute:
    """The device of this name, or the best one that accelerate finds: CUDA, MPS, CPU and others."""
    if device is not None:
        return Compute(torch.device(device), precision)
    from accelerate import PartialState

    return Compute(PartialState().device, precision)
