"""The first iteration without learning, where the given labels say that it is the better one.

One propagation tells classes apart by their labels alone. Several of them, on what the pretrained encoder
makes of the rows, let the unlabeled rows speak too: worth much where labels are few or wrong, harmful where
they are many and right, for a network that learns from these knows better. Labels hidden in turn decide.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.functional import angular_similarity, half_whiten, more_often_right, propagate, settle
from credprop.training.predict import embed
from credprop.training.run import Run, Stage

ROUNDS = (1, 2, 4, 8, 16)
_UNJUDGED = 4  # rounds where no class has two labels, so that none can be hidden
_FOLDS = 10
_REFERENCES = 2048  # rows that speak; the others only listen


def may_settle(run: Run, stage: Stage) -> bool:
    """Whether the first iteration is to begin, and may do without learning; softmax has no credibility."""
    return run.settings.settle and not run.settings.softmax and stage.iteration == 1 and run.epoch == 0


def settle_run(run: Run) -> int:
    """How many rounds settle the credibility of all samples, stored as an iteration's; 1: learn instead."""
    b = half_whiten(embed(run.model, run.data.x))
    rows = _references(run.data.labels)
    q, labels, clamped = run.tables.q[rows], run.data.labels[rows], run.clamped[rows]
    similarity, bound, decay = angular_similarity(b[rows]), run.settings.d_max, run.settings.d_max_decay

    def right(fold: Int[Tensor, " h"]) -> Bool[Tensor, "rounds h"]:
        """Whether each number of rounds names the labels of a fold that is hidden."""
        free = (~clamped).index_fill(0, fold, True).nonzero()[:, 0]
        hidden = q.index_fill(0, fold, 0)
        made = settle(similarity, hidden, free, rounds=ROUNDS[-1], d_max=bound, d_max_decay=decay)
        return torch.stack([made[r - 1][0][fold].argmax(dim=1) == labels[fold] for r in ROUNDS])

    rounds = choose_rounds([right(fold) for fold in folds(labels)])
    if rounds > 1:
        free = (~clamped).nonzero()[:, 0]
        made = settle(similarity, q, free, rounds=rounds, d_max=bound, d_max_decay=decay)
        heard, q, run.p_last, run.d_max = made[-1]
        run.tables.q[rows] = q
        _store(run, _heard_by_all(b, rows, q, heard))
    return rounds


def choose_rounds(right: list[Bool[Tensor, "rounds h"]]) -> int:
    """The number of rounds that is right most often, the fewest of several; 1 unless it is clearly better."""
    if not right:
        return _UNJUDGED
    of_all = torch.cat(right, dim=1)  # (rounds, hidden labels)
    best = int(of_all.sum(dim=1).argmax())  # the first of several
    return ROUNDS[best] if more_often_right(of_all[best], of_all[0]) else 1


def folds(labels: Int[Tensor, " n"]) -> list[Int[Tensor, " h"]]:
    """Rows whose labels are hidden together: every label once, none that is the only one of its class.

    At most a tenth of a class is hidden at once, or one label.
    """
    counts = torch.bincount(labels[labels >= 0], minlength=1)
    rows = ((labels >= 0) & (counts[labels.clamp(min=0)] > 1)).nonzero()[:, 0]
    rows = rows[labels[rows].argsort(stable=True)]
    return [rows[i::_FOLDS] for i in range(min(_FOLDS, len(rows)))]


def _references(labels: Int[Tensor, " n"]) -> Int[Tensor, " r"]:
    """All rows, or as many as may speak, evenly spread: half of them labeled, if there are so many."""
    if len(labels) <= _REFERENCES:
        return torch.arange(len(labels))
    order = labels.argsort(stable=True)  # those without a label first
    others, given = order[labels[order] < 0], order[labels[order] >= 0]
    given = _spread(given, max(_REFERENCES // 2, _REFERENCES - len(others)))
    return torch.cat([given, _spread(others, _REFERENCES - len(given))])


def _spread(rows: Int[Tensor, " n"], most: int) -> Int[Tensor, " m"]:
    """These rows, or as many of them, evenly spread."""
    size = min(most, len(rows))
    return rows[torch.arange(size) * len(rows) // max(size, 1)]


def _heard_by_all(
    b: Float[Tensor, "n d"], rows: Int[Tensor, " r"], q: Float[Tensor, "r k"], heard: Float[Tensor, "r k"]
) -> Float[Tensor, "n k"]:
    """What every sample hears from these rows; they themselves have `heard` it."""
    all_heard = heard.new_zeros(len(b), q.shape[1]).index_copy(0, rows, heard)
    listens = torch.ones(len(b), dtype=torch.bool).index_fill(0, rows, False).nonzero()[:, 0]
    for some in listens.split(_REFERENCES):
        silent = q.new_zeros(len(some), q.shape[1])
        similarity = angular_similarity(b[torch.cat([rows, some])])
        all_heard[some] = propagate(similarity, torch.cat([q, silent]))[len(rows) :]
    return all_heard


def _store(run: Run, heard: Float[Tensor, "n k"]) -> None:
    """Put what every sample heard into the tables, as if drawn once."""
    tables, given = run.tables, run.data.given
    tables.total.copy_(heard)
    tables.count.fill_(1)
    tables.judged[given] = heard[given]
    tables.judgments[given] = 1
