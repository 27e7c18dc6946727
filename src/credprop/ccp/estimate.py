"""How long a run will take, from a few steps of it."""

import time

import torch

from credprop.ccp.algorithm import batch_losses, batches, begin
from credprop.ccp.settings import Settings
from credprop.ccp.setup import new_run, two_views
from credprop.ccp.state import plan
from credprop.data import PartlyLabeled
from credprop.training.device import Compute, choose_compute
from credprop.training.randomness import isolated_random_state

_STEPS = 3  # timed in each kind of stage, after one to warm up


def estimate_seconds(data: PartlyLabeled, settings: Settings, compute: Compute | None = None) -> float:
    """Seconds that `train` will need if no stage stops early; takes a few steps on copies to find out."""
    stages, step_time = plan(settings), {}
    with isolated_random_state(0):
        run = new_run(data, settings, 0, compute or choose_compute())
        for stage in {stage.name: stage for stage in stages}.values():
            begin(run, stage)
            run.model.train()
            drawn = batches(run, stage)
            for i in range(_STEPS + 1):
                if i == 1:
                    start = time.perf_counter()
                index = drawn[i % len(drawn)]
                terms = batch_losses(run, stage, index, two_views(run, index))
                assert run.learner is not None
                run.learner.step(torch.stack(list(terms.values())).sum(), 0.0)
            step_time[stage.name] = (time.perf_counter() - start) / _STEPS
    return sum(step_time[stage.name] * stage.steps(len(data)) for stage in stages)
