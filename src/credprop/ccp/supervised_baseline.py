"""The honest baseline: the same network, trained on the labels alone."""

from collections.abc import Callable

from credprop.ccp.progress import Progress
from credprop.ccp.settings import Settings
from credprop.ccp.setup import new_run, two_views
from credprop.ccp.state import Run, Stage
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
        raise ValueError("these settings build no classifier; give `build` a phase")
    if not len(data.given):
        raise ValueError("there is no label to learn from; give at least one for each class")
    return learn_labels_alone(data, settings, steps, seed, compute or choose_compute(), on_progress).model


def learn_labels_alone(
    data: PartlyLabeled,
    settings: Settings,
    steps: int,
    seed: int,
    compute: Compute,
    on_progress: Callable[[Progress], None],
) -> Run:
    """A run that did nothing but this."""
    given, phase = data.given, settings.build
    assert phase is not None
    with isolated_random_state(seed):
        run = new_run(data, settings, seed, compute)
        learner = run.new_learner(Stage("build", 0, phase))
        run.model.train()
        while learner.steps < steps:
            for drawn in random_batches(len(given), phase.batch_size, run.generator):
                index = given[drawn]
                views = two_views(run, index)
                run.views += len(views)
                with run.compute.autocast():
                    logits = run.model(views)
                q = run.tables.q[index].to(views.device).repeat(2, 1)
                loss = soft_cross_entropy(logits, q).mean()
                learner.step(loss, phase.epochs * learner.steps / steps)
                if learner.steps == steps:
                    break
            on_progress(_progress(learner.steps, steps, loss.item()))
        learner.take_average()
        run.steps = learner.steps
    return run


def _progress(step: int, steps: int, loss: float) -> Progress:
    return Progress("labels alone", 0, 0, step, steps, loss, step, steps)
