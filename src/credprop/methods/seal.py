"""SEAL as an ablation of CCP: averaged softmax instead of credibility."""

from dataclasses import dataclass, replace

from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.methods.ccp import run_training
from credprop.methods.learned import Learned
from credprop.training import Compute


@dataclass(frozen=True)
class SEAL:
    """CCP with softmax instead of credibility adjustment, and without scaling, clipping and subsampling.

    After Chen et al., Beyond Class-Conditional Assumption: A Primary Attempt to Combat Instance-Dependent
    Label Noise, 2021. arXiv:2012.05458.
    """

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Train with averaged softmax."""
        return run_training(data, replace(settings, softmax=True), seed, compute)
