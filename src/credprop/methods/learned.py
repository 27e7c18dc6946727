"""The result of a method of the comparison, and how a method is called."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.augment import Augment, Embedded, takes_vectors
from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.data.dataset import Rows
from credprop.networks import Blend, Model
from credprop.training import Compute, predict_logits


@dataclass(frozen=True, eq=False, kw_only=True)
class Judged:
    """What a method says about its own result, for methods that say how sure they are."""

    confidence: Float[Tensor, " n"]  # of the pseudo-labels of training rows
    issues: Bool[Tensor, " n"]  # given labels that are probably wrong
    label_noise: float | None  # estimated share of wrong given labels
    probabilities: Callable[[Rows], Float[Tensor, "n k"]]  # of the classes of new raw rows
    facts: dict[str, Any]  # for the row of the run


@dataclass(frozen=True, eq=False, kw_only=True)
class Learned:
    """The result of training a method on a partly labeled data set, and its cost.

    `pseudo_labels` are those of the training rows, -1 if a row has none; None if the method has none.
    `samples` counts the views passed through the network. `first` is the result after the first iteration,
    for methods with iterations. `watched` are rows whose credibility is in the history of every epoch.
    """

    predict: Callable[[Rows], Int[Tensor, " n"]]  # class codes of new raw rows
    pseudo_labels: Int[Tensor, " n"] | None = None
    steps: int = 0  # of the optimizer
    samples: int = 0
    history: list[dict[str, Any]] = field(default_factory=list)
    first: "Learned | None" = None
    watched: tuple[int, ...] = ()
    judged: Judged | None = None


class Method(Protocol):
    """A method trains on the data with the settings of a preset and a seed."""

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned: ...


class Counted:
    """An augmentation that counts the views it makes."""

    def __init__(self, augment: Augment) -> None:
        self.augment, self.views = augment, 0
        self.takes_vectors = takes_vectors(augment)

    def __call__(self, x: Tensor | Embedded, generator: torch.Generator) -> Tensor:
        """The augmented batch."""
        self.views += len(x)
        return self.augment(x, generator)


def predictor(model: Model | Blend) -> Callable[[Rows], Int[Tensor, " n"]]:
    """The model as a function from raw rows to class codes."""
    return lambda x: predict_logits(model, x).argmax(dim=1)
