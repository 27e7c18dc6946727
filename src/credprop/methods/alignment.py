"""Marginal distributions over classes, and pseudo-labels aligned with them."""

from collections import deque

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.data import UNLABELED

_LEAST = 1e-6  # lower bound of a marginal


def align(
    p: Float[Tensor, "n k"], target: Float[Tensor, " k"], mean: Float[Tensor, " k"]
) -> Float[Tensor, "n k"]:
    """Distribution alignment: p * target / mean, normalized.

    Changes nothing if the mean prediction equals the target distribution.
    """
    scaled = p * (target / mean.clamp(min=_LEAST))
    return scaled / scaled.sum(dim=1, keepdim=True)


class RunningMarginal:
    """Mean prediction over the last few batches."""

    def __init__(self, batches: int) -> None:
        self.means: deque[Tensor] = deque(maxlen=batches)

    def update(self, p: Float[Tensor, "n k"]) -> Float[Tensor, " k"]:
        """Add a batch of predictions and return the mean."""
        self.means.append(p.mean(dim=0))
        return self.mean()

    def mean(self) -> Float[Tensor, " k"]:
        """The current mean."""
        return torch.stack(list(self.means)).mean(dim=0)


def class_distribution(labels: Int[Tensor, " n"], k: int) -> Float[Tensor, " k"]:
    """The class distribution of the given labels; a class without labels counts as if it had one."""
    count = torch.bincount(labels[labels != UNLABELED], minlength=k).clamp(min=1).float()
    return count / count.sum()
