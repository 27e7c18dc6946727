"""What a frozen encoder is, and how it says how far it is."""

from collections.abc import Callable
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Kind = Literal["text", "images"]
Vectors = NDArray[np.float32]
OnProgress = Callable[[int, int], None]  # rows done, rows in all


class Frozen(Protocol):
    """A pretrained network that is never trained here and turns every raw row into one vector."""

    @property
    def name(self) -> str:
        """Its name in full, such as "sentence:all-MiniLM-L6-v2": `choose_frozen` finds it again by it."""
        ...

    @property
    def kind(self) -> Kind:
        """Which rows it takes."""
        ...

    @property
    def identity(self) -> str:
        """A digest of its weights and settings: two that agree in it give the same vectors."""
        ...

    def encode(self, rows: Any, on_progress: OnProgress = ...) -> Vectors:
        """Vectors (n, d), one a row and in their order."""
        ...


def stay_silent(done: int, total: int) -> None:
    """Progress that nobody watches."""
