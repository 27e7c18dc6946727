"""Algorithm 1 of the paper, with the pretraining before it and the classifier after it.

Numbers in comments are lines of Algorithm 1; docs/algorithm.md puts the two side by side. Whatever the paper
does not do is called through `Settings.additions`, which is empty for the paper.
"""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from credprop.ccp.epochs import Batch, epochs, finish, take_steps
from credprop.ccp.setup import two_views
from credprop.ccp.stages import Stage, plan
from credprop.ccp.state import State, Targets
from credprop.ccp.summary import summarize
from credprop.data import balanced_batches, random_batches
from credprop.functional import (
    adjust,
    angular_similarity,
    choose_p,
    consolidate,
    contrast_views,
    mean_of_draws,
    mean_of_views,
    ranking,
    simclr_loss,
    soft_contrastive_loss,
    soft_cross_entropy,
    strength,
    subsample,
)

Hook = Callable[[], None]


def run(state: State, after_epoch: Hook, after_stage: Callable[[Stage], None]) -> None:
    """Pretrain, refine the labels in M iterations, build the classifier.

    A run that was interrupted goes on where it stood.
    """
    for stage in plan(state.settings)[state.stage :]:
        STAGES[stage.name](state, stage, after_epoch)
        finish(state)
        after_stage(stage)


def pretrain(state: State, stage: Stage, after_epoch: Hook) -> None:
    """Contrastive pretraining: all that is known is which two views are of one sample."""
    for row in epochs(state, stage, after_epoch):
        batches = random_batches(len(state.data), stage.phase.batch_size, state.generator)
        row.update(take_steps(state, batches, pretraining_loss))
    state.keep_pretrained()


def pretraining_loss(state: State, index: Batch) -> dict[str, Tensor]:
    """SimCLR's loss of a batch."""
    views = two_views(state, index)
    with state.compute.autocast():
        z = state.model.project(views)
    loss = simclr_loss(angular_similarity(z), temperature=state.settings.temperature)
    return {"contrastive": loss.mean()}


def iterate(state: State, stage: Stage, after_epoch: Hook) -> None:
    """One iteration: epochs of contrast and propagation, then new credibility vectors for the next one."""
    s, m = state.settings, stage.iteration  # 1-4: given in the state, where q_u starts as zero
    for row in epochs(state, stage, after_epoch, reset=s.reset):  # 5, 6
        instead = next((done for epoch in s.additions.epoch if (done := epoch(state, m))), None)
        batches = [] if instead else balanced_batches(state.tables.q, stage.phase.batch_size, state.generator)
        row.update(instead or take_steps(state, batches, contrast_and_propagate))  # 7
    end_iteration(state, m)


def contrast_and_propagate(state: State, index: Batch) -> dict[str, Tensor]:
    """L_SSC of a balanced batch; the propagated vectors, and opinions on given labels, are stored."""
    views = two_views(state, index)  # 8: t_1, t_2
    with state.compute.autocast():
        z = state.model.project(views)  # 9
    q = state.tables.q[index].to(z.device)
    given = (state.data.labels[index] >= 0).nonzero()[:, 0]  # positions in the batch
    rows = torch.cat([given, given + len(index)]).to(z.device)
    loss, similarity, opinion = contrast_views(z, q, rows, temperature=state.settings.temperature)
    propagated = similarity.softmax(dim=1) if state.settings.softmax else adjust(similarity)
    state.tables.store(index, mean_of_views(propagated).cpu())  # 10: Algorithm 2
    state.tables.store_opinion(index[given], mean_of_views(adjust(opinion)).cpu())
    return {"contrastive": loss}  # 11


def end_iteration(state: State, m: int) -> None:
    """New credibility of all samples that are not clamped, from what was stored; subsampling."""
    tables, s = state.tables, state.settings
    rows = (~state.clamped).nonzero()[:, 0]  # the samples in U
    mean = mean_of_draws(tables.total[rows], tables.count[rows])  # 14
    q = mean if s.softmax else consolidate(mean)  # 15: gamma; 16-18: adjustment; 19: clipping
    p = choose_p(q, ranking(mean), p_last=state.p_last, d_max=state.d_max)  # 20: Algorithm 3
    tables.full[rows], tables.q[rows] = q, subsample(q, ranking(mean), p)  # 21
    new = rows[(tables.labeled_iter[rows] < 0) & (strength(q) > 0)]
    tables.labeled_iter[new] = m
    tables.opinion = mean_of_draws(tables.judged, tables.judgments)
    state.history[-1] |= summarize(state, p)
    state.p_last, state.d_max = p, state.d_max * s.d_max_decay  # 22, 23: for the next iteration


def build(state: State, stage: Stage, after_epoch: Hook) -> None:
    """Building a classifier: L_CLS together with L_SSC, from the reset state; weights averaged by EMA."""
    targets = targets_of(state)
    for row in epochs(state, stage, after_epoch, reset=state.settings.reset):
        batches = random_batches(len(state.data), stage.phase.batch_size, state.generator)
        row.update(take_steps(state, batches, partial(classification_losses, targets)))
    assert state.learner is not None
    state.learner.take_average()
    state.history[-1] |= targets.record


def targets_of(state: State) -> Targets:
    """The vectors that the iterations ended with, before subsampling, and what additions make of them."""
    q = state.tables.q if state.settings.subsample_final else state.tables.full
    targets = Targets(q, weight=q.new_ones(len(q)), shift=q.new_zeros(q.shape[1]))
    for addition in state.settings.additions.targets:
        targets = addition(state, targets)
    return targets


def classification_losses(targets: Targets, state: State, index: Batch) -> dict[str, Tensor]:
    """L_CLS of a batch and, unless switched off, L_SSC."""
    views, s = two_views(state, index), state.settings
    q, weight = (torch.cat([t, t]).to(views.device) for t in (targets.q[index], targets.weight[index]))
    with state.compute.autocast():
        z, logits = state.model.both(views) if s.both_losses else (None, state.model(views))
    classification = weight * soft_cross_entropy(logits + targets.shift.to(logits.device), q)
    losses = {"classification": classification.mean()}
    if z is not None:
        losses["contrastive"] = soft_contrastive_loss(
            angular_similarity(z), q, temperature=s.temperature
        ).mean()
    return losses


STAGES = {"pretrain": pretrain, "refine": iterate, "build": build}
