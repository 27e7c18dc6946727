"""Ablations by name: CCP with one part changed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from credprop.ccp import Settings
from credprop.ccp.additions.first_iteration import settle, slow_where_uneven
from credprop.ccp.additions.targets import balance_classes, balance_labels, regress_on_labels, square_strength
from credprop.data import PartlyLabeled
from credprop.methods.ccp import run_training
from credprop.methods.learned import Learned
from credprop.training import Compute


@dataclass(frozen=True)
class Ablation:
    """CCP with these settings in place of its own, and without these additions."""

    changes: Mapping[str, Any] = field(default_factory=dict)
    without: tuple[Callable[..., Any], ...] = ()

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Train with the changes."""
        additions = settings.additions.without(*self.without)
        return run_training(data, replace(settings, additions=additions, **self.changes), seed, compute)

    @property
    def about(self) -> str:
        """What is changed, in a few words that begin with `with` or `without`."""
        changed = [f"with {name} = {value}" for name, value in self.changes.items()]
        return ", ".join(changed + [f"without {function.__name__}" for function in self.without])


# Of the paper: Ablation Analysis and Building a Classifier; the last three: "a more aggressive d_max and
# schedule". Then one for each of our additions.
ABLATIONS: dict[str, Ablation] = {
    "ccp-no-subsampling": Ablation({"d_max": 0.0}),
    "ccp-classification-loss-only": Ablation({"both_losses": False}),
    "ccp-no-reset": Ablation({"reset": False}),
    "ccp-subsample-final": Ablation({"subsample_final": True}),
    "ccp-no-pretraining": Ablation({"pretrain": None}),
    "ccp-no-squaring": Ablation(without=(square_strength,)),
    "ccp-no-balancing": Ablation(without=(balance_classes, balance_labels)),
    "ccp-no-slowing": Ablation(without=(slow_where_uneven,)),
    "ccp-no-second-opinion": Ablation(without=(regress_on_labels,)),
    "ccp-no-settling": Ablation(without=(settle,)),
    "ccp-dmax-0.001": Ablation({"d_max": 0.001}),
    "ccp-dmax-0.1": Ablation({"d_max": 0.1}),
    "ccp-dmax-0.1-constant": Ablation({"d_max": 0.1, "d_max_decay": 1.0}),
}
