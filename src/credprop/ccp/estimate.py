"""How long a run will take, from a few steps of it."""

import time
from functools import partial

from credprop.ccp.algorithm import classification_losses, contrast_and_propagate, pretraining_loss, targets_of
from credprop.ccp.epochs import Losses, begin, take_steps
from credprop.ccp.settings import Settings
from credprop.ccp.setup import new_state
from credprop.ccp.stages import plan
from credprop.data import PartlyLabeled, balanced_batches
from credprop.training import Compute, choose_compute, isolated_random_state

_STEPS = 3  # timed in each kind of stage, after one to warm up


def estimate_seconds(data: PartlyLabeled, settings: Settings, compute: Compute | None = None) -> float:
    """Seconds that `train` will need if no stage stops early; takes a few steps on copies to find out."""
    stages, step_time = plan(settings), {}
    with isolated_random_state(0):
        state = new_state(data, settings, 0, compute or choose_compute())
        losses: dict[str, Losses] = {
            "pretrain": pretraining_loss,
            "refine": contrast_and_propagate,
            "build": partial(classification_losses, targets_of(state)),
        }
        for stage in {stage.name: stage for stage in stages}.values():
            begin(state, stage, reset=False)
            drawn = balanced_batches(state.tables.q, stage.phase.batch_size, state.generator)
            steps = [drawn[i % len(drawn)] for i in range(_STEPS + 1)]
            take_steps(state, steps[:1], losses[stage.name])
            start = time.perf_counter()
            take_steps(state, steps[1:], losses[stage.name])
            step_time[stage.name] = (time.perf_counter() - start) / _STEPS
    return sum(step_time[stage.name] * stage.steps(len(data)) for stage in stages)
