"""What one batch and the end of each stage do: SimCLR, Algorithm 1, the classifier."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.ccp.additions.lesson import Lesson, prepare_lesson
from credprop.ccp.additions.targets import asks_labels_alone, hear_out
from credprop.ccp.state import Run, Stage
from credprop.data import balanced_batches, random_batches
from credprop.functional import (
    adjust,
    angular_similarity,
    contrast_views,
    divergence,
    end_iteration,
    mean_of_draws,
    mean_of_views,
    simclr_loss,
    soft_contrastive_loss,
    soft_cross_entropy,
    strength,
)


def batches(run: Run, stage: Stage) -> list[Int[Tensor, " b"]]:
    """Indices of an epoch's batches: balanced in an iteration, random elsewhere."""
    if stage.name == "refine":
        return balanced_batches(run.tables.q, stage.phase.batch_size, run.generator)
    return random_batches(len(run.data), stage.phase.batch_size, run.generator)


def batch_losses(
    run: Run, stage: Stage, index: Int[Tensor, " n"], views: Float[Tensor, "two_n ..."]
) -> dict[str, Float[Tensor, ""]]:
    """Losses of a batch of two views, by name; an iteration also stores what it propagated."""
    return _LOSSES[stage.name](run, index, views)


def _pretrain(run: Run, index: Int[Tensor, " n"], views: Float[Tensor, "m ..."]) -> dict[str, Tensor]:
    """SimCLR: nothing is known but which views are of one sample."""
    with run.compute.autocast():
        z = run.model.project(views)
    loss = simclr_loss(angular_similarity(z), temperature=run.settings.temperature)
    return {"contrastive": loss.mean()}


def _refine(run: Run, index: Int[Tensor, " n"], views: Float[Tensor, "m ..."]) -> dict[str, Tensor]:
    """The body of Algorithm 1: L_SSC, and new credibility vectors on the side."""
    with run.compute.autocast():
        z = run.model.project(views)
    given = (run.data.labels[index] >= 0).nonzero()[:, 0]  # positions in the batch
    rows = torch.cat([given, given + len(index)]).to(z.device)
    q = run.tables.q[index].to(z.device)
    loss, heard, opinion = contrast_views(z, q, rows, temperature=run.settings.temperature)
    store(run, index, heard.softmax(dim=1) if run.settings.softmax else adjust(heard))
    store_opinion(run, index[given], adjust(opinion))
    return {"contrastive": loss}


def _build(run: Run, index: Int[Tensor, " n"], views: Float[Tensor, "m ..."]) -> dict[str, Tensor]:
    """The classifier: L_CLS, and L_SSC together with it."""
    lesson = _lesson(run)
    q = _shared(lesson.q, index, views)
    with run.compute.autocast():
        z, logits = run.model.both(views) if run.settings.both_losses else (None, run.model(views))
    weight = _shared(lesson.weight, index, views)
    losses = {
        "classification": (weight * soft_cross_entropy(logits + lesson.shift.to(logits.device), q)).mean()
    }
    if z is not None:
        contrastive = soft_contrastive_loss(angular_similarity(z), q, temperature=run.settings.temperature)
        losses["contrastive"] = contrastive.mean()
    return losses


def _lesson(run: Run) -> Lesson:
    """What this stage teaches, prepared once: the tables do not change in it."""
    if run.lesson is None:
        q = run.tables.q if run.settings.subsample_final else run.tables.full
        agreed = None
        if asks_labels_alone(run):
            q, agreed = hear_out(run, q)
        run.lesson = prepare_lesson(q, run.data.labels, run.clamped, run.settings, agreed)
    return run.lesson


_LOSSES: dict[str, Callable[[Run, Tensor, Tensor], dict[str, Tensor]]] = {
    "pretrain": _pretrain,
    "refine": _refine,
    "build": _build,
}


def _shared(table: Float[Tensor, "N ..."], index: Int[Tensor, " n"], views: Tensor) -> Float[Tensor, "m ..."]:
    """Rows of the samples at these indices, once for each view."""
    rows = table[index].to(views.device)
    return torch.cat([rows, rows])


def store(run: Run, index: Int[Tensor, " n"], new: Float[Tensor, "two_n k"]) -> None:
    """Add the batch's propagated vectors to the tables."""
    run.tables.total.index_add_(0, index, mean_of_views(new).cpu())
    run.tables.count[index] += 1


def store_opinion(run: Run, index: Int[Tensor, " g"], opinion: Float[Tensor, "two_g k"]) -> None:
    """Add the batch's opinions about given labels to the tables."""
    if len(index):
        run.tables.judged.index_add_(0, index, mean_of_views(opinion).cpu())
        run.tables.judgments[index] += 1


def begin(run: Run, stage: Stage) -> None:
    """Reset networks and accumulators, and start a fresh optimizer."""
    if stage.name != "pretrain" and run.settings.reset:
        run.reset()
    tables = run.tables
    for table in (tables.total, tables.count, tables.judged, tables.judgments):
        table.zero_()
    run.learner = run.new_learner(stage)
    run.epoch, run.stopped, run.lesson = 0, False, None


def end(run: Run, stage: Stage) -> None:
    """Take from a stage what the next one needs."""
    assert run.learner is not None
    run.steps += run.learner.steps
    if stage.name == "pretrain":
        run.remember_start()
    elif stage.name == "refine":
        run.history[-1] |= _end_iteration(run, stage)
    else:
        run.learner.take_average()
        if (agreed := _lesson(run).agreed) is not None:
            run.history[-1]["agreement"] = agreed
    run.learner = None


def _end_iteration(run: Run, stage: Stage) -> dict[str, Any]:
    """The end of Algorithm 1; a summary of the new vectors."""
    tables, settings = run.tables, run.settings
    rows = (~run.clamped).nonzero()[:, 0]  # the samples that are propagated to
    if settings.softmax:
        before = after = mean_of_draws(tables.total[rows], tables.count[rows])
        p = 0
    else:
        before, after, p = end_iteration(
            tables.total[rows], tables.count[rows], p_last=run.p_last, d_max=run.d_max
        )
    summary = {"p": p, "d_max": run.d_max, "kl": divergence(after.sum(dim=0), before.sum(dim=0)).item()}
    tables.full[rows], tables.q[rows] = before, after
    new = rows[(tables.labeled_iter[rows] < 0) & (strength(before) > 0)]
    tables.labeled_iter[new] = stage.iteration
    tables.opinion = mean_of_draws(tables.judged, tables.judgments)
    run.p_last, run.d_max = p, run.d_max * settings.d_max_decay
    return summary | _describe(run, rows)


def _describe(run: Run, rows: Int[Tensor, " r"]) -> dict[str, Any]:
    """How the new vectors look, and how right they are where the truth is known."""
    q = run.tables.full[rows]
    s = strength(q)
    mass = q.sum(dim=0)
    summary: dict[str, Any] = {
        "class_distribution": (mass / mass.sum().clamp(min=1e-12)).tolist(),
        "strength": s.mean().item() if len(s) else 0.0,
        "labeled": int((s > 0).sum()),
    }
    if run.data.truth is None:
        return summary
    truth = run.data.truth[rows]
    known = truth >= 0  # strangers have no class to be right about
    right = (q.argmax(dim=1) == truth) & (s > 0)
    hidden = known & (run.data.labels[rows] < 0)
    return summary | {
        "pseudo_label_accuracy": _mean(right[hidden]),
        "strength_right": _mean(s[hidden & right]),
        "strength_wrong": _mean(s[hidden & ~right & (s > 0)]),
    }


def _mean(values: Tensor) -> float | None:
    return values.float().mean().item() if len(values) else None
