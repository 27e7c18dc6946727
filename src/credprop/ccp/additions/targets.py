"""What the classifier learns: vectors squared, balanced, mixed with what the given labels say by themselves.

Refined vectors know how rows group, which helps where groups are classes. Where they are not (texts that
group by topic, labels that tell opinions), where outliers are among the rows or classes are missing from
them, trusted labels know better, and that the two disagree shows it. Labels left out tell if a regression on
them is any good.
"""

import copy
from dataclasses import replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.ccp.setup import standardized
from credprop.ccp.state import State, Targets
from credprop.functional import (
    adjust,
    angular_similarity,
    initial_credibility,
    propagate,
    similarity_to,
    strength,
)
from credprop.functional.additions import (
    agreement,
    balancing_shift,
    balancing_weights,
    half_whitening,
    left_out_scores,
    mix,
    more_often_right,
    ridge_inverse,
)
from credprop.training.inference import embed
from credprop.training.subsets import evenly, witnesses

_CHUNK = 4096  # rows judged at once
_ROWS = 2048  # unlabeled ones at most that say what encodings look like
_ERRORS = 2.0  # by which propagation must beat the regression on labels left out to be heard alone


def square_strength(state: State, targets: Targets) -> Targets:
    """Vectors times their strength: doubt counts less."""
    return replace(targets, q=targets.q * strength(targets.q)[:, None])


def balance_labels(state: State, targets: Targets) -> Targets:
    """Weights under which clamped labels count as much as all other rows together, if they count less."""
    return replace(targets, weight=balancing_weights(strength(targets.q), state.clamped))


def balance_classes(state: State, targets: Targets) -> Targets:
    """A shift of the logits toward the mix of the given labels; last, from the mix that would be learned."""
    given = state.data.labels[state.data.given]
    counts = torch.bincount(given, minlength=state.data.k)
    return replace(targets, shift=balancing_shift(targets.weight @ targets.q, counts))


def regress_on_labels(state: State, targets: Targets) -> Targets:
    """Vectors mixed with a regression on the given labels, where these are trusted and many.

    As they are where the regression is worse on labels left out than one round of propagation. How far the
    two agreed goes into the history.
    """
    data = state.data
    if not (data.kind == "vectors" and state.well_labeled and len(data.given) < len(data)):
        return targets
    opinion, right = opinion_of_labels(state)
    return mix_unless_worse(state, targets, opinion, right)


def mix_unless_worse(
    state: State, targets: Targets, opinion: Float[Tensor, "n k"], right: Bool[Tensor, " g"]
) -> Targets:
    """Vectors mixed with an opinion of every row, unless it is worse on labels left out than propagation."""
    if more_often_right(right_by_propagation(state), right, _ERRORS):
        return targets
    rows = (~state.clamped).nonzero()[:, 0]
    q = targets.q
    agreed = agreement(q[rows], opinion[rows])
    mixed = mix(q[rows], opinion[rows], agreed).to(q.dtype)
    return replace(targets, q=q.index_copy(0, rows, mixed), record=targets.record | {"agreement": agreed})


def opinion_of_labels(state: State, chunk: int = _CHUNK) -> tuple[Float[Tensor, "n k"], Bool[Tensor, " g"]]:
    """Credibility of every row by a regression on its similarity to labeled rows, as networks get them.

    And whether the regression names the label of each of these `witnesses` when it is left out.
    """
    given, y = _given(state)
    labeled = standardized(state, given).cpu()
    inverse = ridge_inverse(angular_similarity(labeled), y)
    chunks = torch.arange(len(state.data)).split(chunk)
    scores = [similarity_to(standardized(state, index).cpu(), labeled) @ (inverse @ y) for index in chunks]
    right = left_out_scores(inverse, y).argmax(dim=1) == state.data.labels[given]
    return adjust(torch.cat(scores)).clamp(0, 1), right


def right_by_propagation(state: State) -> Bool[Tensor, " g"]:
    """Whether one propagation among labeled rows, on what the pretrained encoder sees, names their labels."""
    given, y = _given(state)
    others = evenly((state.data.labels < 0).nonzero()[:, 0], _ROWS)
    pretrained = copy.deepcopy(state.model)  # the run's own may have learned from the labels since
    pretrained.load_state_dict(state.pretrained, strict=False)
    b = embed(pretrained, state.data.x, torch.cat([given, others]))
    mean, directions = half_whitening(b)
    heard = propagate(angular_similarity((b[: len(given)] - mean) @ directions), y)
    return heard.argmax(dim=1) == state.data.labels[given]


def _given(state: State) -> tuple[Int[Tensor, " g"], Float[Tensor, "g k"]]:
    """Labeled rows, and their labels as one-hot rows."""
    given = witnesses(state.data.labels)
    return given, initial_credibility(state.data.labels[given], state.data.k)
