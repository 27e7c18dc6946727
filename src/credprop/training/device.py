"""The device and the precision of computations."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal, get_args

import torch

Precision = Literal["float32", "bfloat16"]


@dataclass(frozen=True)
class Compute:
    """The device and the precision of networks."""

    device: torch.device
    precision: Precision = "float32"

    def __post_init__(self) -> None:
        if self.precision not in get_args(Precision):
            raise ValueError(f"unknown precision {self.precision!r}; use float32 or bfloat16")

    def autocast(self) -> AbstractContextManager[object]:
        """A context in which networks have this precision; the core converts to float32 where it needs to."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.precision == "bfloat16")


def choose_compute(device: str | None = None, precision: Precision = "float32") -> Compute:
    """The device with this name, by default the best one that accelerate finds: CUDA, MPS, CPU or another."""
    if device is not None:
        return Compute(torch.device(device), precision)
    from accelerate import PartialState

    return Compute(PartialState().device, precision)
