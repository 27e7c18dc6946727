"""The protocol of frozen encoders and of their progress."""

from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Kind = Literal["text", "images"]
Vectors = NDArray[np.float32]
OnProgress = Callable[[int, int], None]  # rows done, rows in all


class Frozen(Protocol):
    """A pretrained network that is not trained here and turns every row into one vector."""

    @property
    def name(self) -> str:
        """Its full name, such as "sentence:all-MiniLM-L6-v2", which `choose_frozen` accepts."""
        ...

    @property
    def kind(self) -> Kind:
        """The kind of rows it takes."""
        ...

    @property
    def identity(self) -> str:
        """A digest of its weights and settings: encoders with the same digest give the same vectors."""
        ...

    def encode(self, rows: Any, on_progress: OnProgress = ...) -> Vectors:
        """Vectors (n, d), one per row, in order."""
        ...


def no_progress(done: int, total: int) -> None:
    """A progress callback that does nothing."""
