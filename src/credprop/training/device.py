"""Where to compute, and in what precision."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Literal

import torch


@dataclass(frozen=True)
class Compute:
    """Where and how precisely networks are computed."""

    device: torch.device
    precision: Literal["float32", "bfloat16"] = "float32"

    def autocast(self) -> AbstractContextManager[object]:
        """Networks in this precision; the core raises what it needs to float32 by itself."""
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.precision == "bfloat16")


def choose_compute(
    device: str | None = None, precision: Literal["float32", "bfloat16"] = "float32"
) -> Compute:
    """The device of this name, or the best one that accelerate finds: CUDA, MPS, CPU and others."""
    if device is not None:
        return Compute(torch.device(device), precision)
    from accelerate import PartialState

    return Compute(PartialState().device, precision)
