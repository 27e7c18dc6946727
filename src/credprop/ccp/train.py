"""Runs the algorithm on data: random state, checkpoints, progress, and what came of it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.ccp.algorithm import run
from credprop.ccp.progress import Progress
from credprop.ccp.run_identity import describe
from credprop.ccp.settings import Settings
from credprop.ccp.setup import new_state
from credprop.ccp.stages import Stage, plan
from credprop.ccp.state import State
from credprop.data import PartlyLabeled
from credprop.networks import Model
from credprop.training import Compute, choose_compute, isolated_random_state
from credprop.training.checkpoint import load_checkpoint, save_checkpoint

OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, eq=False)
class Result:
    """What a run learned: the model, and for every sample its credibility and the opinion about its label."""

    model: Model
    q: Float[Tensor, "n k"]
    opinion: Float[Tensor, "n k"]
    labeled_iter: Int[Tensor, " n"]
    history: list[dict[str, Any]]
    steps: int  # gradient steps of all stages
    views: int  # that went through the networks
    first: "Result | None" = None  # what a run of one iteration would have given, if it was asked for


def train(
    data: PartlyLabeled,
    settings: Settings,
    *,
    seed: int = 0,
    compute: Compute | None = None,
    checkpoint: Path | None = None,
    watch: Sequence[int] = (),
    first_too: bool = False,
    on_progress: OnProgress = lambda progress: None,
) -> Result:
    """Pretrain, refine the labels, build the classifier.

    With a `checkpoint` the run is saved there after every epoch and resumed from there if it exists. The
    credibility of the samples in `watch` is recorded at every epoch of an iteration. With `first_too` a
    classifier is also built on what the first iteration gave; such a run has no checkpoint.
    """
    if first_too and checkpoint is not None:
        raise ValueError("a checkpoint holds one run; use `first_too` without it")
    with isolated_random_state(seed):
        state = new_state(data, settings, seed, compute or choose_compute())
        state.watch = tuple(watch)
        return complete(state, seed, checkpoint, on_progress, first_too=first_too)


def complete(
    state: State, seed: int, checkpoint: Path | None, on_progress: OnProgress, *, first_too: bool = False
) -> Result:
    """What a run has learned at its end, from wherever it stands."""
    first: Result | None = None
    save = _no_save if checkpoint is None else _resume(state, checkpoint, describe(state, seed))

    def after_epoch() -> None:
        save()
        on_progress(_progress(state))

    def after_stage(stage: Stage) -> None:
        nonlocal first
        if first_too and stage.iteration == 1:
            first = _build_now(state)

    run(state, after_epoch, after_stage)
    return replace(_result(state), first=first)


def _no_save() -> None:
    """For a run without a checkpoint."""


def _resume(state: State, checkpoint: Path, identity: dict[str, Any]) -> Callable[[], None]:
    """Go on from the checkpoint if it exists; returns how to write it."""
    if checkpoint.exists():
        tensors, numbers = load_checkpoint(checkpoint)
        of_checkpoint = numbers.pop("identity")
        names = identity.keys() | of_checkpoint.keys()  # one of another version knows other settings
        other = sorted(name for name in names if identity.get(name, ...) != of_checkpoint.get(name, ...))
        if other:
            raise ValueError(
                f"{checkpoint} is of a run with different {', '.join(other)}; delete it to restart"
            )
        state.restore(tensors, numbers)
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    return lambda: save_checkpoint(checkpoint, state.tensors(), state.numbers() | {"identity": identity})


def _build_now(state: State) -> Result:
    """What the run would give if no iteration followed; the run itself stays as it is."""
    branch, settings = state.branch(), state.settings
    branch.stage = len(plan(settings)) - (settings.build is not None)
    with torch.random.fork_rng():
        run(branch, _no_save, lambda stage: None)
    return _result(branch)


def _result(state: State) -> Result:
    tables = state.tables
    return Result(
        model=state.model,
        q=tables.full,
        opinion=tables.opinion,
        labeled_iter=tables.labeled_iter,
        history=state.history,
        steps=state.steps,
        views=state.views,
    )


def _progress(state: State) -> Progress:
    stages = plan(state.settings)
    stage, row = stages[state.stage], state.history[-1]
    return Progress(
        stage.name,
        stage.iteration,
        state.settings.iterations,
        state.epoch,
        stage.phase.epochs,
        row.get("loss", math.nan),
        done=sum(s.phase.epochs for s in stages[: state.stage]) + state.epoch,
        planned=sum(s.phase.epochs for s in stages),
    )
