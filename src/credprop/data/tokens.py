"""Texts as rows of token ids."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

PADDING = 0  # id at the end of shorter rows


@dataclass(frozen=True, eq=False)
class Tokens:
    """Rows of token ids, all of one length; 0 is padding and only occurs at the end of a row.

    Ids lie in 0..vocabulary-1. A plain array of integers is not `Tokens`: it holds vectors.
    """

    ids: np.ndarray  # int32 (n, length)
    vocabulary: int

    def __post_init__(self) -> None:
        ids = np.asarray(self.ids)
        if ids.ndim != 2 or ids.shape[1] < 1 or ids.dtype.kind not in "iu":
            raise ValueError(f"token ids are {ids.dtype} of shape {ids.shape}; give integers (n, length)")
        if ids.size and not 0 <= ids.min() <= ids.max() < self.vocabulary:
            raise ValueError(
                f"token ids range from {ids.min()} to {ids.max()}; a vocabulary of {self.vocabulary} has "
                f"0..{self.vocabulary - 1}"
            )
        late = (ids[:, 1:] != PADDING) & (ids[:, :-1] == PADDING)
        if late.any():
            row = int(late.any(axis=1).argmax())
            raise ValueError(f"row {row} of the tokens has padding (0) before a token; put it at the end")
        object.__setattr__(self, "ids", ids.astype(np.int32, copy=False))

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, rows: Any) -> "Tokens":
        """Tokens of these rows; one integer gives one row."""
        index = rows.numpy() if isinstance(rows, Tensor) else rows
        return Tokens(np.atleast_2d(self.ids[index]), self.vocabulary)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows, and their length."""
        return self.ids.shape[0], self.ids.shape[1]
