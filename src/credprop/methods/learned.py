"""What every method of the comparison hands back, and how it is called."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from jaxtyping import Int
from torch import Tensor

from credprop.augment import Augment, Embedded, takes_vectors
from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.data.dataset import Rows
from credprop.networks import Model
from credprop.training import Compute, predict_logits


@dataclass(frozen=True, eq=False, kw_only=True)
class Learned:
    """What a method learned from a partly labeled data set, and what it took to learn it.

    `pseudo_labels` are of the training rows, -1 where there is none; None where the method makes none.
    `samples` counts the views that went through the network. `first` is the result after the first
    iteration, of methods that have iterations. `watched` are rows whose vectors the history holds, epoch by
    epoch.
    """

    predict: Callable[[Rows], Int[Tensor, " n"]]  # class codes of new raw rows
    pseudo_labels: Int[Tensor, " n"] | None = None
    steps: int = 0  # along the gradient
    samples: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    first: "Learned | None" = None
    watched: tuple[int, ...] = ()


class Method(Protocol):
    """A method: from the data, the settings of a preset and a seed to what it learned."""

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned: ...


class Counted:
    """A transform that counts the views it makes."""

    def __init__(self, augment: Augment) -> None:
        self.augment, self.views = augment, 0
        self.takes_vectors = takes_vectors(augment)

    def __call__(self, x: Tensor | Embedded, generator: torch.Generator) -> Tensor:
        """The transformed batch."""
        self.views += len(x)
        return self.augment(x, generator)


def predictor(model: Model) -> Callable[[Rows], Int[Tensor, " n"]]:
    """The model as a function from raw rows to class codes."""
    return lambda x: predict_logits(model, x).argmax(dim=1)
