"""What a user's rows are, and how they become rows for a network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from credprop.data import Tokens
from credprop.frozen import OnProgress
from credprop.frozen.protocol import stay_silent

# What a user has: texts (a sequence of them, or an array of one dimension), vectors or images.
Raw = Sequence[str] | NDArray[Any]
Prepared = NDArray[Any] | Tokens
RawKind = Literal["text", "images", "vectors"]


class Preparation(Protocol):
    """How a user's rows become rows for a network: chosen once, then the same for all rows to come."""

    @property
    def kind(self) -> Literal["arrays", "tokens", "frozen"]:
        """What it makes of rows: leaves arrays as they are, tokens, or vectors of a frozen encoder."""
        ...

    @property
    def reason(self) -> str:
        """What was chosen and why, in a sentence; nothing where there was no choice."""
        ...

    def rows(self, x: Raw, on_progress: OnProgress = ...) -> Prepared:
        """The rows for the network."""
        ...

    def to_json(self) -> dict[str, Any]:
        """What `preparation_from` needs, together with the files, to make it again."""
        ...

    def files(self) -> Mapping[str, str]:
        """What else it is made of: the content of each file by its name."""
        ...


def raw_kind(x: Raw) -> RawKind:
    """What such rows are."""
    if not isinstance(x, np.ndarray) or x.ndim == 1:
        return "text"
    return "images" if x.ndim == 4 else "vectors"


@dataclass(frozen=True)
class Arrays:
    """Rows that a network takes as they are."""

    kind: ClassVar[Literal["arrays"]] = "arrays"
    reason: ClassVar[str] = ""

    def rows(self, x: Raw, on_progress: OnProgress = stay_silent) -> Any:
        """The rows themselves."""
        return x

    def to_json(self) -> dict[str, Any]:
        """Nothing but its kind."""
        return {"kind": self.kind}

    def files(self) -> dict[str, str]:
        """None."""
        return {}
