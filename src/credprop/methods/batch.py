"""What a method sees in one step: rows, and views of them drawn when it asks for them."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

Draw = Callable[[Tensor], Tensor]


@dataclass(frozen=True, eq=False, kw_only=True)
class Batch:
    """Standardized rows of a step, not yet transformed.

    `x` are labeled rows with labels `y`; `u` are rows of all the data, labeled ones among them, as is usual:
    their labels are not looked at. `weak` and `strong` give a new random view of each row.
    """

    x: Float[Tensor, "b ..."]
    y: Int[Tensor, " b"]
    u: Float[Tensor, "u ..."]
    weak: Draw
    strong: Draw
    progress: float = 0.0  # share of the steps that are done
    autocast: Callable[[], AbstractContextManager[object]] = nullcontext

    def together(self, network: Draw, *views: Float[Tensor, "n ..."]) -> list[Float[Tensor, "n d"]]:
        """What the network makes of each of the views, in one pass: batch normalization sees all of them."""
        with self.autocast():
            outputs = network(torch.cat(views))
        return list(outputs.float().split([len(view) for view in views]))
