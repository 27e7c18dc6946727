"""Supervised baseline: CCP's classifier network trained on the given labels only."""

from dataclasses import dataclass, replace

from credprop.ccp import Settings, planned_steps, train_supervised
from credprop.data import PartlyLabeled
from credprop.methods.learned import Counted, Learned, predictor
from credprop.training import Compute


@dataclass(frozen=True)
class Supervised:
    """Cross-entropy on the given labels, with everything else as in CCP's classifier."""

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Train for as many steps as all phases of CCP together."""
        counted, steps = Counted(settings.augment), planned_steps(data, settings)
        settings = replace(settings, augment=counted)
        model = train_supervised(data, settings, steps, seed=seed, compute=compute)
        return Learned(predict=predictor(model), steps=steps, samples=counted.views)
