"""The rows of one step, and functions that draw augmented views of them."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

Draw = Callable[[Tensor], Tensor]


@dataclass(frozen=True, eq=False, kw_only=True)
class Batch:
    """Standardized rows of one step, before augmentation.

    `x` are labeled rows with labels `y`; `u` are rows of the whole data set, used without labels. `weak` and
    `strong` draw a new random view of each row.
    """

    x: Float[Tensor, "b ..."]
    y: Int[Tensor, " b"]
    u: Float[Tensor, "u ..."]
    weak: Draw
    strong: Draw
    progress: float = 0.0  # share of the steps done
    autocast: Callable[[], AbstractContextManager[object]] = nullcontext

    def together(self, network: Draw, *views: Float[Tensor, "n ..."]) -> list[Float[Tensor, "n d"]]:
        """The network's output for each view, in one pass, so that batch normalization sees all views."""
        with self.autocast():
            outputs = network(torch.cat(views))
        return list(outputs.float().split([len(view) for view in views]))
