"""The first iteration without learning, where the given labels say that it is the better one.

One propagation tells classes apart by their labels alone. Several of them, on what the pretrained encoder
makes of the rows, let the unlabeled rows speak too: worth much where labels are few or wrong, harmful where
they are many and right, for a network that learns from these knows better. Labels hidden in turn decide.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.ccp.state import Run, Stage
from credprop.functional import angular_similarity, half_whitening, more_often_right, propagate, settle
from credprop.training.inference import embed
from credprop.training.subsets import evenly

ROUNDS = (1, 2, 4, 8, 16)
_UNJUDGED = 4  # rounds where no class has two labels, so that none can be hidden
_FOLDS = 10
_SPEAKERS = 2048  # rows at most that speak; the others only listen


def may_settle(run: Run, stage: Stage) -> bool:
    """Whether the first iteration is to begin and may do without learning.

    Softmax has no credibility, guesses cannot be hidden, and of many labels each should have its say.
    """
    begins = run.settings.settle and stage.iteration == 1 and run.epoch == 0
    judged = not run.settings.softmax and run.data.guesses is None
    return begins and judged and (len(run.data) <= _SPEAKERS or 0 < len(run.data.given) <= _SPEAKERS // 2)


def settle_run(run: Run) -> int:
    """How many rounds settle the credibility of all samples, stored as an iteration's; 1: learn instead."""
    rows = _speakers(run.data.labels)
    b = embed(run.model, run.data.x, rows)
    mean, directions = half_whitening(b)
    spoken = (b - mean) @ directions
    q, labels, clamped = run.tables.q[rows], run.data.labels[rows], run.clamped[rows]
    similarity, bound, decay = angular_similarity(spoken), run.settings.d_max, run.settings.d_max_decay

    def right(fold: Int[Tensor, " h"]) -> Bool[Tensor, "rounds h"]:
        """Whether each number of rounds names the labels of a fold that is hidden."""
        free = (~clamped).index_fill(0, fold, True).nonzero()[:, 0]
        hidden = q.index_fill(0, fold, 0)
        made = settle(similarity, hidden, free, rounds=ROUNDS[-1], d_max=bound, d_max_decay=decay)
        return torch.stack([made[r - 1][0][fold].argmax(dim=1) == labels[fold] for r in ROUNDS])

    errors = 2.0 if run.well_labeled else 1.0
    rounds = choose_rounds([right(fold) for fold in folds(labels)], errors)
    if rounds > 1:
        free = (~clamped).nonzero()[:, 0]
        made = settle(similarity, q, free, rounds=rounds, d_max=bound, d_max_decay=decay)
        heard, q, run.p_last, run.d_max = made[-1]
        _store(run, rows, heard)
        for some in _others(rows, len(run.data)).split(_SPEAKERS):
            listens = (embed(run.model, run.data.x, some) - mean) @ directions
            _store(run, some, _hear(spoken, q, listens))
    return rounds


def choose_rounds(right: list[Bool[Tensor, "rounds h"]], errors: float) -> int:
    """The number of rounds that is right most often, the fewest of several.

    1 unless it is better by more than so many standard errors.
    """
    if not right:
        return _UNJUDGED
    of_all = torch.cat(right, dim=1)  # (rounds, hidden labels)
    best = int(of_all.sum(dim=1).argmax())  # the first of several
    return ROUNDS[best] if more_often_right(of_all[best], of_all[0], errors) else 1


def folds(labels: Int[Tensor, " n"]) -> list[Int[Tensor, " h"]]:
    """Rows whose labels are hidden together: every label once, none that is the only one of its class.

    A tenth of a class is hidden at once, rounded up.
    """
    counts = torch.bincount(labels[labels >= 0], minlength=1)
    rows = ((labels >= 0) & (counts[labels.clamp(min=0)] > 1)).nonzero()[:, 0]
    rows = rows[labels[rows].argsort(stable=True)]
    return [rows[i::_FOLDS] for i in range(min(_FOLDS, len(rows)))]


def _speakers(labels: Int[Tensor, " n"]) -> Int[Tensor, " r"]:
    """All rows, or those with a label and as many others as may speak, evenly spread."""
    given, others = (labels >= 0).nonzero()[:, 0], (labels < 0).nonzero()[:, 0]
    return torch.cat([given, evenly(others, _SPEAKERS - len(given))]).sort().values


def _others(rows: Int[Tensor, " r"], n: int) -> Int[Tensor, " m"]:
    """All of 0..n-1 but these."""
    return torch.ones(n, dtype=torch.bool).index_fill(0, rows, False).nonzero()[:, 0]


def _hear(
    spoken: Float[Tensor, "r d"], q: Float[Tensor, "r k"], listens: Float[Tensor, "m d"]
) -> Float[Tensor, "m k"]:
    """What rows without credibility hear from those that speak."""
    similarity = angular_similarity(torch.cat([spoken, listens]))
    return propagate(similarity, torch.cat([q, q.new_zeros(len(listens), q.shape[1])]))[len(q) :]


def _store(run: Run, rows: Int[Tensor, " r"], heard: Float[Tensor, "r k"]) -> None:
    """Put what these samples heard into the tables, as if drawn once; it is an opinion about labels too."""
    tables = run.tables
    tables.total[rows], tables.count[rows] = heard, 1
    given = run.data.labels[rows] >= 0
    tables.judged[rows[given]], tables.judgments[rows[given]] = heard[given], 1
