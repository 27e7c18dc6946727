"""Vectors and images as they are."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from credprop.frozen import OnProgress
from credprop.frozen.types import stay_silent
from credprop.prepare.types import Raw


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
