"""A second opinion for the classifier: what the given labels say of the rows without the unlabeled ones.

Refined vectors know how rows group, which helps where groups are classes. Where they are not (texts that
group by topic, labels that tell opinions), where strangers are among the rows or classes are missing from
them, trusted labels know better, and that the two disagree shows it. Labels left out tell if it is any good.
"""

import copy

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.ccp.setup import standardized
from credprop.ccp.state import Run
from credprop.functional import (
    adjust,
    agreement,
    angular_similarity,
    half_whitening,
    heed,
    initial_credibility,
    left_out_scores,
    more_often_right,
    propagate,
    ridge_inverse,
    similarity_to,
)
from credprop.training.inference import embed
from credprop.training.subsets import evenly, witnesses

_CHUNK = 4096  # rows judged at once
_ROWS = 2048  # unlabeled ones at most that say what encodings look like
_ERRORS = 2.0  # by which propagation must beat the regression on labels left out to be heard alone


def asks_labels_alone(run: Run) -> bool:
    """Whether a second opinion is worth its while: vectors, and labels that are trusted and many."""
    settings, data = run.settings, run.data
    wanted = settings.second_opinion and not settings.softmax and data.kind == "vectors"
    return wanted and run.well_labeled and len(data.given) < len(data)


def hear_out(run: Run, q: Float[Tensor, "n k"]) -> tuple[Float[Tensor, "n k"], float | None]:
    """These vectors, the second opinion heeded in all rows that are not clamped; how far the two agreed.

    As they are, and None, where the opinion is worse on labels left out than one round of propagation.
    """
    opinion, right = opinion_of_labels(run)
    if more_often_right(right_by_propagation(run), right, _ERRORS):
        return q, None
    rows = (~run.clamped).nonzero()[:, 0]
    agreed = agreement(q[rows], opinion[rows])
    return q.index_copy(0, rows, heed(q[rows], opinion[rows], agreed).to(q.dtype)), agreed


def opinion_of_labels(run: Run) -> tuple[Float[Tensor, "n k"], Bool[Tensor, " g"]]:
    """Credibility of every row by a regression on its similarity to labeled rows, as networks get them.

    And whether the regression names the label of each of these `witnesses` when it is left out.
    """
    given, y = _given(run)
    labeled = standardized(run, given).cpu()
    inverse = ridge_inverse(angular_similarity(labeled), y)
    chunks = torch.arange(len(run.data)).split(_CHUNK)
    scores = [similarity_to(standardized(run, index).cpu(), labeled) @ (inverse @ y) for index in chunks]
    right = left_out_scores(inverse, y).argmax(dim=1) == run.data.labels[given]
    return adjust(torch.cat(scores)).clamp(0, 1), right


def right_by_propagation(run: Run) -> Bool[Tensor, " g"]:
    """Whether one propagation among labeled rows, on what the pretrained encoder sees, names their labels."""
    given, y = _given(run)
    others = evenly((run.data.labels < 0).nonzero()[:, 0], _ROWS)
    pretrained = copy.deepcopy(run.model)  # the run's own may have learned from the labels since
    pretrained.load_state_dict(run.start, strict=False)
    b = embed(pretrained, run.data.x, torch.cat([given, others]))
    mean, directions = half_whitening(b)
    heard = propagate(angular_similarity((b[: len(given)] - mean) @ directions), y)
    return heard.argmax(dim=1) == run.data.labels[given]


def _given(run: Run) -> tuple[Int[Tensor, " g"], Float[Tensor, "g k"]]:
    """Labeled rows, and their labels as one-hot rows."""
    given = witnesses(run.data.labels)
    return given, initial_credibility(run.data.labels[given], run.data.k)
