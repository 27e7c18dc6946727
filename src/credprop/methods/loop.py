"""One training loop for all methods that train a network: they differ only in their losses.

Encoder, optimizer, schedule and weight averaging are those of CCP's classifier; earlier stages have the
learning rate of CCP's pretraining. There are as many steps as in all phases of CCP together.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from credprop.augment import weaker
from credprop.ccp import Settings, planned_steps
from credprop.ccp.setup import augmented, new_state, standardized
from credprop.ccp.stages import Stage
from credprop.ccp.state import State
from credprop.data import PartlyLabeled
from credprop.methods.batch import Batch, Draw
from credprop.methods.learned import Counted, Learned, predictor
from credprop.networks import Model
from credprop.training import Compute, choose_compute, embed
from credprop.training.optimization import Learner
from credprop.training.randomness import isolated_random_state

LABELED = 64  # labeled rows per step, drawn with replacement if there are fewer
RATIO = 7  # unlabeled rows per labeled one, as in FixMatch
_ROWS_OF_HISTORY = 20


class Objective(Protocol):
    """The losses of a method, with state of their own; created for every run.

    Fields that are modules (additional heads) are trained along with the model.
    """

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Losses of a step by name; their sum is minimized."""

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> Int[Tensor, " n"] | None:
        """Pseudo-labels of rows from their encodings, -1 if a row has none; None if the method has none."""


Start = Callable[[Model, PartlyLabeled], Objective]


def learn(
    starts: Sequence[Start],
    data: PartlyLabeled,
    settings: Settings,
    seed: int,
    *,
    compute: Compute | None = None,
) -> Learned:
    """Train a new model with the objectives one after another.

    A single objective has all steps. With several, the last one has those of CCP's classifier and the others
    share the rest.
    """
    if settings.build is None:
        raise ValueError("these settings train no classifier; set `build` to a phase")
    if not len(data.given):
        raise ValueError("no row is labeled; label at least one row of each class")
    weak, strong = Counted(weaker(settings.augment)), Counted(settings.augment)
    steps, history = _steps_of_each(len(starts), data, settings), list[dict[str, Any]]()
    with isolated_random_state(seed):
        state = new_state(data, settings, seed, compute or choose_compute())
        for i, start in enumerate(starts):
            objective = start(state.model, data)
            network = nn.ModuleDict({"model": state.model} | _modules(objective)).to(state.compute.device)
            last = i == len(starts) - 1
            phase = settings.build if last else settings.pretrain or settings.build
            learner = Learner(network, network.parameters(), settings, phase, average=last)
            network.train()
            while learner.steps < steps[i]:
                batch = _draw(state, weak, strong, learner.steps / steps[i])
                losses = objective(state.model, batch)
                learner.step(torch.stack(list(losses.values())).sum(), phase.epochs * batch.progress)
                if learner.steps % -(-steps[i] // _ROWS_OF_HISTORY) == 0:
                    history.append(_row(objective, learner.steps, losses))
        learner.take_average()
    b = embed(state.model, data.x)
    return Learned(
        predict=predictor(state.model),
        pseudo_labels=_guess(objective, state.model, b),
        steps=sum(steps),
        samples=weak.views + strong.views,
        history=history,
    )


def _steps_of_each(objectives: int, data: PartlyLabeled, settings: Settings) -> list[int]:
    """Number of steps of each objective."""
    total = planned_steps(data, settings)
    if objectives == 1:
        return [total]
    assert settings.build is not None
    last = min(Stage("build", 0, settings.build).steps(len(data)), total - objectives + 1)
    before = torch.arange(total - last).tensor_split(objectives - 1)
    return [*map(len, before), last]


def _modules(objective: Objective) -> dict[str, nn.Module]:
    """Additional heads of the objective."""
    return {name: value for name, value in vars(objective).items() if isinstance(value, nn.Module)}


def _draw(state: State, weak: Counted, strong: Counted, progress: float) -> Batch:
    """Draw the rows of a step."""
    n, given = len(state.data), state.data.given
    labeled = given[_some(len(given), LABELED, state.generator)]
    return Batch(
        x=standardized(state, labeled),
        y=state.data.labels[labeled].to(state.compute.device),
        u=standardized(state, _some(n, min(n, RATIO * LABELED), state.generator)),
        weak=_views(state, weak),
        strong=_views(state, strong),
        progress=progress,
        autocast=state.compute.autocast,
    )


def _some(n: int, size: int, generator: torch.Generator) -> Int[Tensor, " size"]:
    """Random indices below n, without replacement if there are enough."""
    if n < size:
        return torch.randint(n, (size,), generator=generator)
    return torch.randperm(n, generator=generator)[:size]


def _views(state: State, augment: Counted) -> Draw:
    return lambda x: augmented(state, augment, x)


def _row(objective: Objective, step: int, losses: dict[str, Tensor]) -> dict[str, Any]:
    """A row of the history."""
    values = {name: loss.item() for name, loss in losses.items()}
    return {"stage": type(objective).__name__, "step": step, "loss": sum(values.values()), **values}


@torch.no_grad()
def _guess(objective: Objective, model: Model, b: Float[Tensor, "n d"]) -> Int[Tensor, " n"] | None:
    guessed = objective.guess(model, b.to(model.mean.device))
    return None if guessed is None else guessed.cpu()
