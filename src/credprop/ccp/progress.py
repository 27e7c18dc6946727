"""Where a run stands."""

from dataclasses import dataclass, replace


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
    part: str = ""  # of several runs that are one to the user: which of them

    def within(self, part: str, done: int, planned: int) -> "Progress":
        """The same, as part of a longer whole."""
        return replace(self, part=part, done=done, planned=planned)
