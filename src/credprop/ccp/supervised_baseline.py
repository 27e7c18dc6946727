"""The supervised baseline: the same network, trained on the given labels only."""

from collections.abc import Callable

from credprop.ccp.progress import Progress
from credprop.ccp.settings import Settings
from credprop.ccp.setup import new_state, two_views
from credprop.ccp.stages import Stage
from credprop.ccp.state import State
from credprop.data import PartlyLabeled, random_batches
from credprop.functional import soft_cross_entropy
from credprop.networks import Model
from credprop.training.device import Compute, choose_compute
from credprop.training.randomness import isolated_random_state


def train_supervised(
    data: PartlyLabeled,
    settings: Settings,
    steps: int,
    *,
    seed: int = 0,
    compute: Compute | None = None,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Model:
    """A classifier from the given labels with cross-entropy, in this many steps.

    Encoder, augmentation, optimizer, schedule and average of weights are those of CCP's classifier.
    """
    if settings.build is None:
        raise ValueError("these settings build no classifier; set `build` to a Phase")
    if not len(data.given):
        raise ValueError("no row is labeled; label at least one row of each class")
    return train_on_given_labels(data, settings, steps, seed, compute or choose_compute(), on_progress).model


def train_on_given_labels(
    data: PartlyLabeled,
    settings: Settings,
    steps: int,
    seed: int,
    compute: Compute,
    on_progress: Callable[[Progress], None],
) -> State:
    """The run that such a training is."""
    given, phase = data.given, settings.build
    assert phase is not None
    with isolated_random_state(seed):
        state = new_state(data, settings, seed, compute)
        learner = state.new_learner(Stage("build", 0, phase))
        state.model.train()
        while learner.steps < steps:
            for drawn in random_batches(len(given), phase.batch_size, state.generator):
                index = given[drawn]
                views = two_views(state, index)
                state.views += len(views)
                with state.compute.autocast():
                    logits = state.model(views)
                q = state.tables.q[index].to(views.device).repeat(2, 1)
                loss = soft_cross_entropy(logits, q).mean()
                learner.step(loss, phase.epochs * learner.steps / steps)
                if learner.steps == steps:
                    break
            on_progress(_progress(learner.steps, steps, loss.item()))
        learner.take_average()
        state.steps = learner.steps
    return state


def _progress(step: int, steps: int, loss: float) -> Progress:
    return Progress("supervised", 0, 0, step, steps, loss, step, steps)
