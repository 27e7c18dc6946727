"""Texts and images as vectors of a frozen encoder, each row encoded once."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from credprop.frozen import Frozen, OnProgress, choose_frozen, encode_once
from credprop.frozen.protocol import stay_silent
from credprop.prepare.rows import Raw

FAMILIES = {"sentence": "text", "pretrained": "images"}  # of frozen encoders by name: what they take


@dataclass(frozen=True)
class FrozenVectors:
    """Vectors of a frozen encoder, which is known by name and weights and looked for when it is needed.

    `given` is one that is at hand.
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
        """The encoder; an error where there is none of this name, or only one with other weights."""
        if self.given is None:
            self._check_named()
        encoder = self.given or choose_frozen(self.name, self.device)
        if encoder.identity != self.identity:
            raise ValueError(
                f"{encoder.name} has other weights or settings than the {self.name} that this was fitted "
                "with; use that one, or fit anew"
            )
        return encoder

    def _check_named(self) -> None:
        """An error with the remedy where the name is not enough, for the encoder was the user's own."""
        family, _, rest = self.name.partition(":")
        if family == "module":
            raise ValueError(
                f"the rows were encoded by a network of your own ({rest.partition(':')[0]}); give it as "
                "`encoder` when you load the classifier"
            )
        if family not in FAMILIES:
            raise ValueError(
                f"the rows were encoded by {self.name!r}, made by code of your own; give --allow-import, or "
                "in Python the encoder itself as `encoder` when you load the classifier"
            )

    def rows(self, x: Raw, on_progress: OnProgress = stay_silent) -> NDArray[np.float32]:
        """A vector a row."""
        return encode_once(self.encoder, x, on_progress=on_progress)

    def to_json(self) -> dict[str, Any]:
        """Name, weights by their digest, what it takes, and the reason."""
        own = {"encoder": self.name, "identity": self.identity, "takes": self.takes}
        return {"kind": self.kind, **own, "reason": self.reason}

    def files(self) -> dict[str, str]:
        """None: the weights are not ours to copy."""
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
