"""Upper bound: the supervised baseline trained on the true labels of all rows."""

from dataclasses import dataclass, replace

from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.methods.learned import Learned
from credprop.methods.supervised import Supervised
from credprop.training import Compute


@dataclass(frozen=True)
class Control:
    """Supervised training on the true labels, which no other method sees; outliers are left out."""

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Train on the true labels."""
        if data.truth is None:
            raise ValueError("the control method needs the true labels; pass them as `truth` of the data")
        return Supervised()(replace(data, labels=data.truth), settings, seed, compute=compute)
