"""Some rows in place of all, where all would be too many."""

import torch
from jaxtyping import Int
from torch import Tensor

_FEWEST = 10  # labeled rows of a class, if it has as many


def evenly(rows: Int[Tensor, " n"], most: int) -> Int[Tensor, " m"]:
    """These rows, or as many as there may be, evenly spread over them."""
    size = min(len(rows), most)
    return rows[torch.arange(size) * len(rows) // max(size, 1)]


def witnesses(labels: Int[Tensor, " n"], about: int = 2048) -> Int[Tensor, " g"]:
    """All rows that have a label, or about as many, each class by its share and ten rows of it at least."""
    given = (labels >= 0).nonzero()[:, 0]
    if len(given) <= about:
        return given
    classes = [given[labels[given] == c] for c in labels[given].unique()]
    return torch.cat([evenly(own, max(_FEWEST, len(own) * about // len(given))) for own in classes])
