"""The upper mark: the baseline, had all samples of the classes been labeled rightly."""

from dataclasses import dataclass, replace

from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.methods.learned import Learned
from credprop.methods.supervised import Supervised
from credprop.training import Compute


@dataclass(frozen=True)
class Control:
    """Supervised training on the true labels, which no other method looks at; strangers teach nothing."""

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """What the true labels teach."""
        if data.truth is None:
            raise ValueError("the control learns from the true labels; give the data its `truth`")
        return Supervised()(replace(data, labels=data.truth), settings, seed, compute=compute)
