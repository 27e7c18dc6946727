"""A partly labeled data set, read by index and never copied as a whole."""

from collections.abc import Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
import torch
from jaxtyping import Bool, Float, Int, Num
from torch import Tensor

from credprop.data.tokens import Tokens

UNLABELED = -1
_CHUNK = 4096  # rows read at once when a statistic needs all of them


class Rows(Sized, Protocol):
    """Rows by index: an array, a memory map, a tensor or a torch data set."""

    def __getitem__(self, index: Any, /) -> Any: ...


@dataclass(frozen=True, eq=False, kw_only=True)
class PartlyLabeled:
    """Vectors (n, d), images (n, c, h, w) or (n, h, w, c), or `Tokens`, with the labels of some.

    Images are bytes, or floats in [0, 1].
    `labels` are 0..k-1, or -1 where unlabeled. `guesses` are uncertain labels of unlabeled samples, as scores
    of the classes. `gold` marks given labels that are surely right, `doubted` those that are probably wrong:
    whatever the settings say, the first are trusted and the second are not. Rows of the same of `groups`
    belong together. `truth` is for measuring only and never used in training.
    """

    x: Rows
    labels: Int[Tensor, " n"]
    k: int
    guesses: Float[Tensor, "n k"] | None = None
    truth: Int[Tensor, " n"] | None = None
    gold: Bool[Tensor, " n"] | None = None
    doubted: Bool[Tensor, " n"] | None = None
    groups: Int[Tensor, " n"] | None = None

    def __post_init__(self) -> None:
        n = len(self.x)
        if not n:
            raise ValueError("x is empty; give at least one row")
        for name in ("labels", "guesses", "truth", "gold", "doubted", "groups"):
            values = getattr(self, name)
            if values is not None and len(values) != n:
                raise ValueError(f"{name} has {len(values)} rows, x has {n}; give one for each row of x")
        if not 2 <= self.k <= n:
            raise ValueError(
                f"k is {self.k} for {n} rows; it must be at least 2 and at most the number of rows"
            )
        if len(self.labels) and not -1 <= int(self.labels.min()) <= int(self.labels.max()) < self.k:
            raise ValueError(f"labels must lie in 0..{self.k - 1}, or be -1 where unlabeled")
        if self.guesses is not None and self.guesses.shape[1] != self.k:
            raise ValueError(
                f"guesses have {self.guesses.shape[1]} columns; give one for each of {self.k} classes"
            )
        sample = self.sample(64)
        if self.kind == "images" and not 0 <= sample.min() <= sample.max() <= 1:
            low, high = sample.min().item(), sample.max().item()
            raise ValueError(f"images range from {low:g} to {high:g}; give bytes, or floats in [0, 1]")

    def __len__(self) -> int:
        return len(self.x)

    @property
    def kind(self) -> Literal["vectors", "images", "text"]:
        """The kind of the samples."""
        if isinstance(self.x, Tokens):
            return "text"
        return "images" if self.sample(1).dim() == 4 else "vectors"

    @property
    def given(self) -> Tensor:
        """Indices of the labeled samples."""
        return (self.labels != UNLABELED).nonzero()[:, 0]

    def trusted(self, trust_labels: bool) -> Bool[Tensor, " n"]:
        """Which rows keep their given label, if labels are trusted in general or not."""
        given = self.labels != UNLABELED
        kept = given & trust_labels
        if self.doubted is not None:
            kept = kept & ~self.doubted
        return kept if self.gold is None else kept | (given & self.gold)

    @property
    def evenness(self) -> float:
        """Labels of the rarest class as a share of those of the most frequent one; 0 without labels."""
        counts = torch.bincount(self.labels[self.given], minlength=self.k)
        return (counts.min() / counts.max().clamp(min=1)).item()

    def rows(self, index: Int[Tensor, " b"]) -> Num[Tensor, "b ..."]:
        """The samples at these indices, as float32; tokens as whole numbers."""
        return read_rows(self.x, index)

    def sample(self, size: int = 2) -> Num[Tensor, "b ..."]:
        """The first rows."""
        return self.rows(torch.arange(min(size, len(self))))

    @property
    def components(self) -> bool:
        """Whether the features are sorted by decreasing variance, as those of PCA or SVD are.

        They are then uncorrelated, and their variance says how much they matter.
        """
        return in_falling_order(self._mean_and_variance[1])

    def mean_and_scale(self) -> tuple[Float[Tensor, " d"], Float[Tensor, " d"]]:
        """Mean and standard deviation of every feature of vectors; the scale of a constant feature is one.

        Components have one scale, so that the last ones stay small.
        """
        mean, variance = self._mean_and_variance
        if self.components:
            variance = variance.mean().expand_as(variance)
        constant = variance <= 1e-12 * mean.square()  # only rounding errors
        return mean.float(), variance.where(~constant, 1).sqrt().float()

    @cached_property
    def _mean_and_variance(self) -> tuple[Float[Tensor, " d"], Float[Tensor, " d"]]:
        total = square = torch.zeros(())
        for index in torch.arange(len(self)).split(_CHUNK):
            chunk = self.rows(index).double()
            total, square = total + chunk.sum(dim=0), square + chunk.square().sum(dim=0)
        mean = total / len(self)
        if not mean.isfinite().all():
            row = next(i for i in range(len(self)) if not self.rows(torch.tensor([i])).isfinite().all())
            raise ValueError(f"row {row} of x holds NaN or infinity; impute it or drop the row")
        return mean, square / len(self) - mean.square()


def in_falling_order(values: Float[Tensor, " d"]) -> bool:
    """Whether at least 16 values fall from first to last, up to a rank correlation of -0.9."""
    d = len(values)
    place = torch.arange(d, dtype=torch.float64)
    rank = values.argsort(stable=True).argsort().double()
    return d >= 16 and torch.stack([place, rank]).corrcoef()[0, 1].item() <= -0.9


def read_rows(x: Rows, index: Int[Tensor, " b"]) -> Num[Tensor, "b ..."]:
    """Rows of `x` as float32; images with channels first, bytes scaled to [0, 1]; of tokens their ids."""
    if isinstance(x, Tokens):
        return torch.from_numpy(x.ids[index.numpy()]).long()
    if isinstance(x, Tensor):
        rows = x[index]
    elif isinstance(x, np.ndarray):
        rows = torch.from_numpy(x[index.numpy()])
    else:
        rows = torch.stack([_first(x[int(i)]) for i in index])
    if rows.dim() == 4 and rows.shape[1] not in (1, 3, 4) and rows.shape[3] in (1, 3, 4):
        rows = rows.permute(0, 3, 1, 2)
    return rows.float() / 255 if rows.dtype == torch.uint8 else rows.float()


def _first(item: Any) -> Tensor:
    """The sample of a data set's item; a label that comes with it is ignored."""
    return torch.as_tensor(item[0] if isinstance(item, tuple) else item)
