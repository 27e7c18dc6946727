"""Where a run stands."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Where a run stands after an epoch."""

    stage: str
    iteration: int
    iterations: int
    epoch: int
    epochs: int
    loss: float
    done: int  # epochs of the run so far; stages that stop early count whole
    planned: int  # epochs of the run
