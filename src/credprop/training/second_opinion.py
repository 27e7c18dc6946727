"""A second opinion for the classifier: what the given labels say of the rows without the unlabeled ones.

Refined vectors know how rows group, which helps where groups are classes. Where they are not (texts that
group by topic, labels that tell opinions), where strangers are among the rows or classes are missing from
them, trusted labels know better, and that the two disagree shows it.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from credprop.functional import (
    adjust,
    agreement,
    angular_similarity,
    heed,
    initial_credibility,
    ridge_inverse,
    similarity_to,
)
from credprop.training.rows import witnesses
from credprop.training.run import Run
from credprop.training.start import standardized

_CHUNK = 4096  # rows judged at once


def asks_labels_alone(run: Run) -> bool:
    """Whether a second opinion is worth its while: vectors, and labels that are trusted and many."""
    settings, data = run.settings, run.data
    wanted = settings.second_opinion and not settings.softmax and data.kind == "vectors"
    return wanted and run.well_labeled and len(data.given) < len(data)


def hear_out(run: Run, q: Float[Tensor, "n k"]) -> tuple[Float[Tensor, "n k"], float]:
    """These vectors, the second opinion heeded in all rows that are not clamped; how far the two agreed."""
    rows = (~run.clamped).nonzero()[:, 0]
    other = opinion_of_labels(run)[rows]
    agreed = agreement(q[rows], other)
    return q.index_copy(0, rows, heed(q[rows], other, agreed).to(q.dtype)), agreed


def opinion_of_labels(run: Run) -> Float[Tensor, "n k"]:
    """Credibility of every row by a regression on its similarity to labeled rows, as networks get them."""
    given = witnesses(run.data.labels)
    labeled = standardized(run, given).cpu()
    y = initial_credibility(run.data.labels[given], run.data.k)
    c = ridge_inverse(angular_similarity(labeled), y) @ y
    chunks = torch.arange(len(run.data)).split(_CHUNK)
    scores = [similarity_to(standardized(run, index).cpu(), labeled) @ c for index in chunks]
    return adjust(torch.cat(scores)).clamp(0, 1)
