"""The pretraining once for several runs: it knows no label, so runs that differ in labels can share it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from credprop.ccp.run_identity import describe
from credprop.ccp.settings import Settings
from credprop.ccp.setup import new_state
from credprop.ccp.state import State
from credprop.ccp.train import OnProgress, Result, complete
from credprop.data import PartlyLabeled
from credprop.training import Compute, choose_compute, isolated_random_state


@dataclass(frozen=True, eq=False)
class Pretrained:
    """Where a run stands after its pretraining."""

    weights: dict[str, Tensor]
    random: tuple[Tensor, Tensor]  # state of the run's generator, and of torch's
    numbers: dict[str, Any]


def identity_of(data: PartlyLabeled, settings: Settings, seed: int, compute: Compute) -> dict[str, Any]:
    """What runs must have in common for one to go on where the other stopped."""
    with isolated_random_state(seed):
        return describe(new_state(data, settings, seed, compute), seed)


def pretrain_once(
    data: PartlyLabeled,
    settings: Settings,
    *,
    seed: int = 0,
    compute: Compute | None = None,
    checkpoint: Path | None = None,
    on_progress: OnProgress = lambda progress: None,
) -> Pretrained | None:
    """The pretraining of these settings; None if they have none."""
    if settings.pretrain is None:
        return None
    only = replace(settings, iterations=0, build=None)
    with isolated_random_state(seed):
        state = new_state(data, only, seed, compute or choose_compute())
        complete(state, seed, checkpoint, on_progress)
        numbers = {name: getattr(state, name) for name in ("stage", "steps", "views", "history")}
        random = state.generator.get_state(), torch.get_rng_state()
        return Pretrained(dict(state.model.state_dict()), random, numbers)


def train_on(
    pretrained: Pretrained | None,
    data: PartlyLabeled,
    settings: Settings,
    *,
    seed: int = 0,
    compute: Compute | None = None,
    checkpoint: Path | None = None,
    watch: Sequence[int] = (),
    on_progress: OnProgress = lambda progress: None,
) -> Result:
    """What `train` gives, bit for bit, without doing the pretraining again."""
    with isolated_random_state(seed):
        state = new_state(data, settings, seed, compute or choose_compute())
        state.watch = tuple(watch)
        if pretrained is not None:
            _go_on_from(state, pretrained)
        return complete(state, seed, checkpoint, on_progress)


def _go_on_from(state: State, pretrained: Pretrained) -> None:
    """Put a new run behind its pretraining."""
    state.model.load_state_dict(pretrained.weights)
    state.keep_pretrained()
    generator, torchs = pretrained.random
    state.generator.set_state(generator)
    torch.set_rng_state(torchs)
    for name in ("stage", "steps", "views"):
        setattr(state, name, pretrained.numbers[name])
    state.history = [dict(row) for row in pretrained.numbers["history"]]
