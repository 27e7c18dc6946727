"""Drives a run through its stages, epoch by epoch, and can go on where it was killed."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.ccp.additions.abstention import LEVEL, luck_of_labels, may_abstain
from credprop.ccp.additions.first_iteration import may_settle, settle_run
from credprop.ccp.algorithm import batch_losses, batches, begin, end
from credprop.ccp.progress import Progress
from credprop.ccp.run_identity import describe
from credprop.ccp.settings import Settings
from credprop.ccp.setup import new_run, two_views
from credprop.ccp.state import Run, Stage, plan, planned_steps
from credprop.ccp.supervised_baseline import learn_labels_alone
from credprop.data import PartlyLabeled
from credprop.networks import Model
from credprop.training.checkpoint import load_checkpoint, save_checkpoint
from credprop.training.device import Compute, choose_compute
from credprop.training.randomness import isolated_random_state


@dataclass(frozen=True, eq=False)
class Result:
    """What a run learned: the model, and for every sample its credibility and the opinion about its label."""

    model: Model
    q: Float[Tensor, "n k"]
    opinion: Float[Tensor, "n k"]
    labeled_iter: Int[Tensor, " n"]
    history: list[dict[str, Any]]
    steps: int  # along the gradient, of all stages
    views: int  # that went through the networks
    abstained: bool = False  # nothing was spread: the model learned from the given labels alone
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
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Result:
    """Pretrain, refine the labels, build the classifier; or abstain where labels cannot spread.

    With a `checkpoint` the run is saved there after every epoch, and goes on from there if it exists (but for
    what an abstaining run learns in the end). The
    credibility of the samples in `watch` is recorded at every epoch of an iteration. With `first_too` a
    classifier is also built on what the first iteration gave; such a run has no checkpoint.
    """
    if first_too and checkpoint is not None:
        raise ValueError("a checkpoint holds one run; ask for `first_too` without it")
    first = None
    with isolated_random_state(seed):
        run = new_run(data, settings, seed, compute or choose_compute())
        stages = plan(settings)
        save = _no_save if checkpoint is None else _resumed(run, checkpoint, describe(run, seed, watch))

        def after_epoch() -> None:
            save()
            on_progress(_progress(run, stages))

        while run.stage < len(stages):
            stage = stages[run.stage]
            if may_abstain(run, stage) and not _labels_spread(run):
                result = _abstain(run, seed, on_progress)
                return replace(result, first=result if first_too else None)
            _do(run, stage, watch, after_epoch)
            if first_too and stage.iteration == 1:
                first = _finished_now(run, stages[-1])
    return _result(run, first)


def _no_save() -> None:
    """For a run without a checkpoint."""


def _resumed(run: Run, checkpoint: Path, identity: dict[str, Any]) -> Callable[[], None]:
    """Go on from the checkpoint if it exists; how to write it anew comes back."""
    if checkpoint.exists():
        tensors, numbers = load_checkpoint(checkpoint)
        of_checkpoint = numbers.pop("identity")
        names = identity.keys() | of_checkpoint.keys()  # one of another version knows other settings
        other = sorted(name for name in names if identity.get(name, ...) != of_checkpoint.get(name, ...))
        if other:
            raise ValueError(f"{checkpoint} is of a run with other {', '.join(other)}; start it anew")
        run.restore(tensors, numbers)
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    return lambda: save_checkpoint(checkpoint, run.tensors(), run.numbers() | {"identity": identity})


def _do(run: Run, stage: Stage, watch: Sequence[int], after_epoch: Callable[[], None]) -> None:
    """A stage, or what is left of it."""
    if run.learner is None:
        begin(run, stage)
    while run.epoch < stage.phase.epochs and not run.stopped:
        _epoch(run, stage, watch)
        after_epoch()
    end(run, stage)
    run.stage += 1


def _labels_spread(run: Run) -> bool:
    """Whether the given labels spread better than shuffled ones; how many of these do as well is recorded."""
    luck = luck_of_labels(run)
    run.history[-1]["luck"] = luck
    return luck <= LEVEL


def _abstain(run: Run, seed: int, on_progress: Callable[[Progress], None]) -> Result:
    """What the labels alone teach, in as many steps as the whole run would have; no row gets a label.

    No checkpoint is written meanwhile: if it is interrupted, this part begins anew, and ends the same.
    """
    result = replace(_result(run), abstained=True)
    if run.settings.build is None:
        return result
    steps = planned_steps(run.data, run.settings)
    alone = learn_labels_alone(run.data, run.settings, steps, seed, run.compute, on_progress)
    return replace(result, model=alone.model, steps=run.steps + alone.steps, views=run.views + alone.views)


def _finished_now(run: Run, last: Stage) -> Result:
    """What the run would give if the last stage came next; the run itself stays as it is."""
    branch = run.branch()
    if last.name == "build":
        with torch.random.fork_rng():
            _do(branch, last, (), lambda: None)
    return _result(branch)


def _result(run: Run, first: Result | None = None) -> Result:
    tables = run.tables
    return Result(
        model=run.model,
        q=tables.full,
        opinion=tables.opinion,
        labeled_iter=tables.labeled_iter,
        history=run.history,
        steps=run.steps,
        views=run.views,
        first=first,
    )


def _epoch(run: Run, stage: Stage, watch: Sequence[int]) -> None:
    """One pass over the data, its row in the history, and whether to stop after it.

    The first iteration may be over after its first epoch, in which credibility settled and nothing learned.
    """
    learner, watched = run.learner, list(watch)
    assert learner is not None
    before = run.tables.total[watched], run.tables.count[watched]
    rounds = settle_run(run) if may_settle(run, stage) else 1
    row: dict[str, Any] = {"stage": stage.name, "iteration": stage.iteration, "epoch": run.epoch + 1}
    row |= {"rounds": rounds} if rounds > 1 else _learn(run, stage)
    run.epoch += 1
    run.stopped = rounds > 1 or learner.stalls()
    if watched and stage.name == "refine":
        total, count = run.tables.total[watched] - before[0], run.tables.count[watched] - before[1]
        row["watched"] = [[round(v, 4) for v in vector] for vector in (total / count[:, None]).tolist()]
    run.history.append(row)


def _learn(run: Run, stage: Stage) -> dict[str, float]:
    """Steps over all batches of an epoch; the losses and the rate for its row in the history."""
    learner = run.learner
    assert learner is not None
    run.model.train()
    drawn = batches(run, stage)
    losses: dict[str, float] = {}
    for i, index in enumerate(drawn):
        terms = batch_losses(run, stage, index, two_views(run, index))
        run.views += 2 * len(index)
        learner.step(torch.stack(list(terms.values())).sum(), run.epoch + i / len(drawn))
        for name, term in terms.items():
            losses[name] = losses.get(name, 0.0) + term.item() / len(drawn)
    return {
        "loss": sum(losses.values()),
        **losses,
        "loss_average": learner.loss_average,
        "lr": learner.rate(run.epoch),
    }


def _progress(run: Run, stages: Sequence[Stage]) -> Progress:
    stage, row = stages[run.stage], run.history[-1]
    done = sum(s.phase.epochs for s in stages[: run.stage]) + run.epoch
    planned = sum(s.phase.epochs for s in stages)
    return Progress(
        stage.name,
        stage.iteration,
        run.settings.iterations,
        run.epoch,
        stage.phase.epochs,
        row.get("loss", math.nan),
        done,
        planned,
    )
