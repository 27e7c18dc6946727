"""Ablations by name: CCP with one part changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.methods.ccp import run_training
from credprop.methods.learned import Learned, Method
from credprop.training import Compute


@dataclass(frozen=True)
class Ablation:
    """CCP with given labels clamped and some settings changed."""

    changes: Mapping[str, Any] = field(default_factory=dict)

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Train with the changed settings."""
        return run_training(data, replace(settings, **self.changes), seed, compute)


# Ablation Analysis and Building a Classifier; the last three: "a more aggressive d_max and schedule".
# Ours: squaring, balancing, abstaining (for texts), second opinions, settling and slowing (for vectors).
ABLATIONS: dict[str, Method] = {
    "ccp-no-subsampling": Ablation({"d_max": 0.0}),
    "ccp-classification-loss-only": Ablation({"both_losses": False}),
    "ccp-no-reset": Ablation({"reset": False}),
    "ccp-subsample-final": Ablation({"subsample_final": True}),
    "ccp-no-pretraining": Ablation({"pretrain": None}),
    "ccp-no-squaring": Ablation({"square_final": False}),
    "ccp-no-balancing": Ablation({"balance_classes": False, "balance_labels": False}),
    "ccp-no-slowing": Ablation({"slow_uneven": False}),
    "ccp-no-abstaining": Ablation({"abstain": False}),
    "ccp-no-second-opinion": Ablation({"second_opinion": False}),
    "ccp-no-settling": Ablation({"settle": False}),
    "ccp-dmax-0.001": Ablation({"d_max": 0.001}),
    "ccp-dmax-0.1": Ablation({"d_max": 0.1}),
    "ccp-dmax-0.1-constant": Ablation({"d_max": 0.1, "d_max_decay": 1.0}),
}
