"""The kinds of rows, and the protocol of their preparation for a network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from credprop.data import Tokens
from credprop.frozen import OnProgress
from credprop.frozen.protocol import no_progress

# Rows as a user has them: texts (a sequence of them, or an array of one dimension), vectors or images.
Raw = Sequence[str] | NDArray[Any]
Prepared = NDArray[Any] | Tokens
RawKind = Literal["text", "images", "vectors"]


class Preparation(Protocol):
    """How a user's rows become rows for a network: chosen once, then applied to all rows."""

    @property
    def kind(self) -> Literal["arrays", "tokens", "frozen"]:
        """What the rows become: unchanged arrays, tokens, or vectors of a frozen encoder."""
        ...

    @property
    def reason(self) -> str:
        """What was chosen and why, in a sentence; empty where there was no choice."""
        ...

    def rows(self, x: Raw, on_progress: OnProgress = ...) -> Prepared:
        """The rows for the network."""
        ...

    def to_json(self) -> dict[str, Any]:
        """A description from which, with the files, `preparation_from` makes it again."""
        ...

    def files(self) -> Mapping[str, str]:
        """The content of further files by name."""
        ...


def raw_kind(x: Raw) -> RawKind:
    """The kind of these rows."""
    if not isinstance(x, np.ndarray) or x.ndim == 1:
        return "text"
    return "images" if x.ndim == 4 else "vectors"


@dataclass(frozen=True)
class Arrays:
    """Rows that a network takes unchanged."""

    kind: ClassVar[Literal["arrays"]] = "arrays"
    reason: ClassVar[str] = ""

    def rows(self, x: Raw, on_progress: OnProgress = no_progress) -> Any:
        """The rows themselves."""
        return x

    def to_json(self) -> dict[str, Any]:
        """Its kind."""
        return {"kind": self.kind}

    def files(self) -> dict[str, str]:
        """None."""
        return {}
