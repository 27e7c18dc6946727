"""The first iteration: without learning where labels that are hidden say so, slower where they are uneven.

One propagation tells classes apart by their labels alone. Several of them, on what the pretrained encoder
makes of the rows, let the unlabeled rows speak too: worth much where labels are few or wrong, harmful where
they are many and right, for a network that learns from these knows better. Labels hidden in turn decide.
"""

from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.ccp.state import State
from credprop.functional import angular_similarity, propagate
from credprop.functional.additions import half_whitening, more_often_right, rounds_of_propagation
from credprop.training.inference import embed
from credprop.training.subsets import evenly

ROUNDS = (1, 2, 4, 8, 16)
_UNJUDGED = 4  # rounds where no class has two labels, so that none can be hidden
_FOLDS = 10
_SPEAKERS = 2048  # rows at most that speak; the others only listen


def slow_where_uneven(state: State, m: int) -> float:
    """The rate of the first iteration: down to a third of it, as the numbers of labels a class differ.

    A fast first iteration favors the classes with many labels.
    """
    return max(1 / 3, state.data.evenness) if m == 1 else 1.0


def settle(state: State, m: int, *, speakers: int = _SPEAKERS) -> dict[str, Any] | None:
    """The first epoch of iteration 1: rounds of propagation, and the iteration is over; or None: learn.

    Guesses cannot be hidden, and of many labels each should have its say.
    """
    data = state.data
    few = len(data) <= speakers or 0 < len(data.given) <= speakers // 2
    if m > 1 or state.epoch > 0 or data.guesses is not None or not few:
        return None
    rounds = settle_credibility(state, speakers)
    if rounds == 1:
        return None
    state.stopped = True
    return {"rounds": rounds}


def settle_credibility(state: State, speakers: int = _SPEAKERS) -> int:
    """How many rounds settle the credibility of all samples, stored as an iteration's; 1: learn instead."""
    rows = _speakers(state.data.labels, speakers)
    b = embed(state.model, state.data.x, rows)
    mean, directions = half_whitening(b)
    spoken = (b - mean) @ directions
    q, labels, clamped = state.tables.q[rows], state.data.labels[rows], state.clamped[rows]
    similarity = angular_similarity(spoken)
    bounds = {"d_max": state.settings.d_max, "d_max_decay": state.settings.d_max_decay}

    def right(fold: Int[Tensor, " h"]) -> Bool[Tensor, "rounds h"]:
        """Whether each number of rounds names the labels of a fold that is hidden."""
        free = (~clamped).index_fill(0, fold, True).nonzero()[:, 0]
        hidden = q.index_fill(0, fold, 0)
        made = rounds_of_propagation(similarity, hidden, free, rounds=ROUNDS[-1], **bounds)
        return torch.stack([made[r - 1][0][fold].argmax(dim=1) == labels[fold] for r in ROUNDS])

    rounds = choose_rounds([right(fold) for fold in folds(labels)], demanded_errors(state))
    if rounds > 1:
        free = (~clamped).nonzero()[:, 0]
        made = rounds_of_propagation(similarity, q, free, rounds=rounds, **bounds)
        heard, q, state.p_last, state.d_max = made[-1]
        _store(state, rows, heard)
        for some in _others(rows, len(state.data)).split(speakers):
            listens = (embed(state.model, state.data.x, some) - mean) @ directions
            _store(state, some, _hear(spoken, q, listens))
    return rounds


def demanded_errors(state: State) -> float:
    """Standard errors by which rounds must beat learning: more where labels are trusted and many."""
    return 2.0 if state.well_labeled else 1.0


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


def _speakers(labels: Int[Tensor, " n"], most: int) -> Int[Tensor, " r"]:
    """All rows, or those with a label and as many others as may speak, evenly spread."""
    given, others = (labels >= 0).nonzero()[:, 0], (labels < 0).nonzero()[:, 0]
    return torch.cat([given, evenly(others, most - len(given))]).sort().values


def _others(rows: Int[Tensor, " r"], n: int) -> Int[Tensor, " m"]:
    """All of 0..n-1 but these."""
    return torch.ones(n, dtype=torch.bool).index_fill(0, rows, False).nonzero()[:, 0]


def _hear(
    spoken: Float[Tensor, "r d"], q: Float[Tensor, "r k"], listens: Float[Tensor, "m d"]
) -> Float[Tensor, "m k"]:
    """What rows without credibility hear from those that speak."""
    similarity = angular_similarity(torch.cat([spoken, listens]))
    return propagate(similarity, torch.cat([q, q.new_zeros(len(listens), q.shape[1])]))[len(q) :]


def _store(state: State, rows: Int[Tensor, " r"], heard: Float[Tensor, "r k"]) -> None:
    """Put what these samples heard into the tables, as if drawn once; it is an opinion about labels too."""
    tables = state.tables
    tables.total[rows], tables.count[rows] = heard, 1
    given = state.data.labels[rows] >= 0
    tables.judged[rows[given]], tables.judgments[rows[given]] = heard[given], 1
