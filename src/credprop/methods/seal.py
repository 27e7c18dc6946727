"""SEAL as an ablation of CCP: averaged softmax instead of credibility."""

from dataclasses import dataclass, replace

from credprop.ccp import Settings
from credprop.ccp.additions.first_iteration import settle
from credprop.ccp.additions.targets import regress_on_labels
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
        return run_training(data, with_softmax(settings), seed, compute)


def with_softmax(settings: Settings) -> Settings:
    """The same settings with softmax in place of credibility, and without what needs credibility."""
    additions = settings.additions.without(settle, regress_on_labels)
    return replace(settings, softmax=True, d_max=0.0, additions=additions)
