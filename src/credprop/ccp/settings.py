"""Settings of a run: those of the paper, and one value for everything that is not in it."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from torch import nn

from credprop.augment import Augment
from credprop.networks import TextNetwork
from credprop.training import Phase

if TYPE_CHECKING:
    from credprop.ccp.state import State, Targets


@dataclass(frozen=True, kw_only=True, repr=False)
class Additions:
    """What a run does that the paper does not, by the place where Algorithm 1 calls it; empty for the paper.

    `rate` multiplies the learning rate of iteration m. `epoch` may do an epoch of iteration m in place of
    learning, and then returns its row of the history. `targets` changes what the classifier learns, in order.
    """

    rate: tuple[Callable[["State", int], float], ...] = ()
    epoch: tuple[Callable[["State", int], dict[str, Any] | None], ...] = ()
    targets: tuple[Callable[["State", "Targets"], "Targets"], ...] = ()

    def __repr__(self) -> str:
        """The names of the functions, which are the same in every process."""
        named = {place: ", ".join(map(_name, chosen)) for place, chosen in vars(self).items() if chosen}
        return f"Additions({', '.join(f'{place}=({names})' for place, names in named.items())})"

    def without(self, *functions: Callable[..., Any]) -> "Additions":
        """The same without these."""
        kept = {f.name: tuple(a for a in getattr(self, f.name) if a not in functions) for f in fields(self)}
        return Additions(**kept)


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", type(function).__qualname__)


PAPER = Additions()


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything about a run but the data and the seed; the defaults are the paper's where it names one."""

    encoder: str | TextNetwork | nn.Module  # a module is copied, never changed
    augment: Augment
    pretrain: Phase | None  # None: start from a random state
    first: Phase  # the first iteration: of fixed length, and slow in the paper
    refine: Phase  # the other iterations
    build: Phase | None  # the classifier; None: refine the labels and build none
    iterations: int
    projector: tuple[int, ...] = (128,)  # widths of its layers
    classifier: tuple[int, ...] = ()  # widths of its hidden layers
    temperature: float = 0.1
    optimizer: Literal["sgd", "adam"] = "sgd"
    momentum: float = 0.9
    weight_decay: float = 5e-4
    weight_average: float = 0.999
    loss_average: float = 0.99
    least_drop: float = 0.001
    d_max: float = 0.01  # 0 switches subsampling off
    d_max_decay: float = 0.5  # what d_max is multiplied by after every iteration
    trust_labels: bool = True  # given labels are clamped, else refined like all others
    softmax: bool = False  # the ablation: softmax in place of credibility
    reset: bool = True  # before every iteration and before the classifier is built
    both_losses: bool = True  # the classifier learns from L_SSC and L_CLS, else from L_CLS alone
    subsample_final: bool = False  # the classifier learns from the vectors after subsampling
    additions: Additions = field(default=PAPER)  # what is not the paper's

    def __post_init__(self) -> None:
        if self.optimizer not in ("sgd", "adam"):
            raise ValueError(f"unknown optimizer {self.optimizer!r}; use sgd or adam")
        if not isinstance(self.additions, Additions):
            raise ValueError(f"additions must be an Additions, not {self.additions!r}")


def with_budget(settings: Settings, budget: float) -> Settings:
    """The same settings with this multiple of the epochs in every phase, one at least."""
    phases = {name: getattr(settings, name) for name in ("pretrain", "first", "refine", "build")}
    scaled = {
        name: phase and replace(phase, epochs=max(1, round(budget * phase.epochs)))
        for name, phase in phases.items()
    }
    return replace(settings, **scaled)
