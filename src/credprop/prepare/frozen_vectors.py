"""Texts and images as vectors of a frozen encoder, each row encoded once."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from credprop.frozen import Frozen, OnProgress, choose_frozen, encode_once
from credprop.frozen.protocol import no_progress
from credprop.prepare.rows import Raw

FAMILIES = {"sentence": "text", "pretrained": "images"}  # frozen encoders by name, and the rows they take


@dataclass(frozen=True)
class FrozenVectors:
    """Vectors of a frozen encoder, which is identified by name and weights and loaded when it is needed.

    `given` is the encoder itself where it is at hand.
    """

    kind: ClassVar[Literal["frozen"]] = "frozen"

    name: str
    identity: str
    takes: str  # "text" or "images"
    reason: str
    device: str | None = field(default=None, compare=False)
    given: Frozen | None = field(default=None, compare=False, repr=False)

    @cached_property
    def encoder(self) -> Frozen:
        """The encoder; an error where it cannot be found, or has other weights."""
        if self.given is None:
            self._check_named()
        encoder = self.given or choose_frozen(self.name, self.device)
        if encoder.identity != self.identity:
            raise ValueError(
                f"{encoder.name} has other weights or settings than the {self.name} used for fitting; "
                "use that one, or refit the model"
            )
        return encoder

    def _check_named(self) -> None:
        """An error where the name is not enough because the encoder was a custom one."""
        family, _, rest = self.name.partition(":")
        if family == "module":
            raise ValueError(
                f"the rows were encoded by a custom network ({rest.partition(':')[0]}); pass it as "
                "`encoder` when loading the classifier"
            )
        if family not in FAMILIES:
            raise ValueError(
                f"the rows were encoded by {self.name!r}, a custom encoder; use --allow-import, or in "
                "Python pass it as `encoder` when loading the classifier"
            )

    def rows(self, x: Raw, on_progress: OnProgress = no_progress) -> NDArray[np.float32]:
        """One vector per row."""
        return encode_once(self.encoder, x, on_progress=on_progress)

    def to_json(self) -> dict[str, Any]:
        """Name, digest of the weights, kind of rows, and the reason."""
        own = {"encoder": self.name, "identity": self.identity, "takes": self.takes}
        return {"kind": self.kind, **own, "reason": self.reason}

    def files(self) -> dict[str, str]:
        """None: weights are not copied."""
        return {}


def freeze(encoder: Frozen, why: str, device: str | None = None) -> FrozenVectors:
    """Vectors of this encoder."""
    what = "texts" if encoder.kind == "text" else "images"
    return FrozenVectors(
        name=encoder.name,
        identity=encoder.identity,
        takes=encoder.kind,
        reason=f"{encoder.name} turns {what} into vectors ({why})",
        device=device,
        given=encoder,
    )
