"""Subsets of rows, where all would be too many."""

import torch
from jaxtyping import Int
from torch import Tensor

_FEWEST = 10  # labeled rows of a class to keep, if it has that many


def evenly(rows: Int[Tensor, " n"], most: int) -> Int[Tensor, " m"]:
    """At most `most` of these rows, evenly spaced."""
    size = min(len(rows), most)
    return rows[torch.arange(size) * len(rows) // max(size, 1)]


def witnesses(labels: Int[Tensor, " n"], about: int = 2048) -> Int[Tensor, " g"]:
    """All labeled rows, or about `about` of them: each class by its share, but at least ten rows."""
    given = (labels >= 0).nonzero()[:, 0]
    if len(given) <= about:
        return given
    classes = [given[labels[given] == c] for c in labels[given].unique()]
    return torch.cat([evenly(own, max(_FEWEST, len(own) * about // len(given))) for own in classes])
