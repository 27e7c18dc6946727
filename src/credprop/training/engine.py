"""Drives a run through its stages, epoch by epoch, and can go on where it was killed."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int, Num
from torch import Tensor

from credprop.augment import Augment, Embedded, takes_vectors
from credprop.data import PartlyLabeled
from credprop.networks import Model, build_model, embedding_table
from credprop.training.checkpoint import load_checkpoint, save_checkpoint
from credprop.training.device import Compute, choose_compute
from credprop.training.identity import describe
from credprop.training.run import Run, Stage, Tables, plan
from credprop.training.settings import Settings
from credprop.training.settle import may_settle, settle_run
from credprop.training.stages import batch_losses, batches, begin, end


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
    """Pretrain, refine the labels, build the classifier.

    With a `checkpoint` the run is saved there after every epoch, and goes on from there if it exists. The
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


def new_run(data: PartlyLabeled, settings: Settings, seed: int, compute: Compute) -> Run:
    """A run before its first step."""
    sample = data.sample()
    scale = data.mean_and_scale() if data.kind == "vectors" else None
    model = build_model(settings.encoder, sample, data.k, scale, settings.projector, settings.classifier)
    # Convolutions on a CPU are twice as fast with channels last.
    model = model.to(compute.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    generator = torch.Generator().manual_seed(seed)
    run = Run(data, settings, compute, model, generator, Tables.of(data), start={}, d_max=settings.d_max)
    run.remember_start()
    return run


@contextmanager
def isolated_random_state(seed: int) -> Iterator[None]:
    """A global random state of our own, for first weights and dropout; the caller's is left as it was."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield


def two_views(run: Run, index: Int[Tensor, " n"]) -> Num[Tensor, "two_n ..."]:
    """Both transformed views of the samples at these indices."""
    x = standardized(run, index)
    return views(run, run.settings.augment, torch.cat([x, x]))


def standardized(run: Run, index: Int[Tensor, " n"]) -> Num[Tensor, "n ..."]:
    """The samples at these indices as the augmentation and the encoder expect them."""
    return run.model.standardize(run.data.rows(index).to(run.compute.device))


def views(run: Run, augment: Augment, x: Num[Tensor, "n ..."]) -> Num[Tensor, "n ..."]:
    """A transformed view of each of these rows, images with channels last in memory as the model has them.

    Of texts these are vectors where the transform works on vectors, else ids.
    """
    rows = Embedded(x, embedding_table(run.model.encoder)) if takes_vectors(augment) else x
    made = augment(rows, run.generator)
    return made.contiguous(memory_format=torch.channels_last) if made.dim() == 4 else made


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
