"""The stages of a run: pretraining, iterations 1 to M, the classifier."""

import math
from dataclasses import dataclass

from credprop.ccp.settings import Settings
from credprop.data import PartlyLabeled
from credprop.training import Phase


@dataclass(frozen=True)
class Stage:
    """One stretch of a run: the pretraining, an iteration (counted from 1), or the building."""

    name: str  # "pretrain", "refine" or "build"
    iteration: int
    phase: Phase

    def steps(self, n: int) -> int:
        """Gradient steps with this many samples, if the stage does not stop early."""
        return self.phase.epochs * math.ceil(n / self.phase.batch_size)


def plan(settings: Settings) -> list[Stage]:
    """The stages of a run, in order."""
    stages = [] if settings.pretrain is None else [Stage("pretrain", 0, settings.pretrain)]
    for m in range(1, settings.iterations + 1):
        stages.append(Stage("refine", m, settings.first if m == 1 else settings.refine))
    return stages if settings.build is None else [*stages, Stage("build", 0, settings.build)]


def planned_steps(data: PartlyLabeled, settings: Settings) -> int:
    """Gradient steps of all stages together, if none stops early."""
    return sum(stage.steps(len(data)) for stage in plan(settings))
