"""The epochs of a stage: steps over batches, their row in the history, and when to stop."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from credprop.ccp.stages import Stage
from credprop.ccp.state import State

Batch = Int[Tensor, " n"]  # indices of samples
Losses = Callable[[State, Batch], dict[str, Tensor]]  # of a batch, by name; their sum is minimized


def epochs(
    state: State, stage: Stage, after_epoch: Callable[[], None], *, reset: bool = False
) -> Iterator[dict[str, Any]]:
    """The epochs of a stage that are left, each as the row of the history that it is to fill.

    A stage that begins starts with empty accumulators and a fresh optimizer and, with `reset`, with encoder
    and projector in their pretrained state. It may stop early.
    """
    if state.learner is None:
        begin(state, stage, reset=reset)
    assert state.learner is not None
    watched = list(state.watch)
    while state.epoch < stage.phase.epochs and not state.stopped:
        row = {"stage": stage.name, "iteration": stage.iteration, "epoch": state.epoch + 1}
        before = state.tables.total[watched], state.tables.count[watched]
        yield row
        state.epoch += 1
        state.stopped = state.stopped or state.learner.stalls()
        if watched and stage.name == "refine":
            total, count = state.tables.total[watched] - before[0], state.tables.count[watched] - before[1]
            row["watched"] = [[round(v, 4) for v in vector] for vector in (total / count[:, None]).tolist()]
        state.history.append(row)
        after_epoch()


def begin(state: State, stage: Stage, *, reset: bool) -> None:
    """Start a stage: networks reset if asked for, accumulators empty, a fresh optimizer."""
    if reset:
        state.reset()
    state.tables.clear_stored()
    state.learner = state.new_learner(stage)
    state.epoch, state.stopped = 0, False


def finish(state: State) -> None:
    """End a stage."""
    assert state.learner is not None
    state.steps += state.learner.steps
    state.learner = None
    state.stage += 1


def take_steps(state: State, batches: Sequence[Batch], losses_of: Losses) -> dict[str, float]:
    """A gradient step for every batch of an epoch; mean losses, and the rate, for its row of the history."""
    learner = state.learner
    assert learner is not None
    state.model.train()
    losses: dict[str, float] = {}
    for i, index in enumerate(batches):
        terms = losses_of(state, index)
        state.views += 2 * len(index)
        learner.step(torch.stack(list(terms.values())).sum(), state.epoch + i / len(batches))
        for name, term in terms.items():
            losses[name] = losses.get(name, 0.0) + term.item() / len(batches)
    return {
        "loss": sum(losses.values()),
        **losses,
        "loss_average": learner.loss_average,
        "lr": learner.rate(state.epoch),
    }
