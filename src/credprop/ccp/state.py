"""Everything that changes during a run, so that a checkpoint can hold it."""

import copy
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from credprop.ccp.settings import Settings
from credprop.ccp.stages import Stage, plan
from credprop.data import PartlyLabeled
from credprop.functional import initial_credibility
from credprop.networks import Model
from credprop.training import Compute
from credprop.training.optimization import Learner


@dataclass(eq=False)
class Tables:
    """What is known of every sample: a row each, on the CPU."""

    q: Tensor  # (n, k) credibility that training uses, after subsampling
    full: Tensor  # (n, k) the same before subsampling
    total: Tensor  # (n, k) sum of the vectors stored in this iteration
    count: Tensor  # (n,) how many they are
    judged: Tensor  # (n, k) sum of the opinions in this iteration, for given labels
    judgments: Tensor  # (n,) how many they are
    opinion: Tensor  # (n, k) mean opinion of the last finished iteration
    labeled_iter: Tensor  # (n,) 0 given, m the iteration that first labeled it, -1 never

    @classmethod
    def of(cls, data: PartlyLabeled) -> "Tables":
        """First values: labels, guesses, or nothing."""
        q = initial_credibility(data.labels, data.k, data.guesses).float()
        n = len(q)
        labeled_iter = torch.where(data.labels >= 0, 0, -1)
        zero, none = torch.zeros_like(q), torch.zeros(n, dtype=torch.long)
        return cls(q, q.clone(), zero, none, zero.clone(), none.clone(), zero.clone(), labeled_iter)

    def store(self, index: Tensor, propagated: Tensor) -> None:
        """Add the propagated vectors of samples, each once, to what was stored in this iteration."""
        self.total.index_add_(0, index, propagated)
        self.count[index] += 1

    def store_opinion(self, index: Tensor, opinion: Tensor) -> None:
        """Add opinions about given labels to those of this iteration."""
        if len(index):
            self.judged.index_add_(0, index, opinion)
            self.judgments[index] += 1

    def clear_stored(self) -> None:
        """Forget what was stored in the last iteration."""
        for table in (self.total, self.count, self.judged, self.judgments):
            table.zero_()


@dataclass(frozen=True, eq=False)
class Targets:
    """What the classifier learns: vectors, their weights in L_CLS and a shift of its logits, on the CPU.

    In the paper all weights are one and the shift is zero. `record` goes into the history.
    """

    q: Float[Tensor, "n k"]
    weight: Float[Tensor, " n"]
    shift: Float[Tensor, " k"]
    record: dict[str, Any] = field(default_factory=dict)


_ENOUGH = 10  # labels of a class
_NUMBERS = ("stage", "epoch", "stopped", "steps", "views", "p_last", "d_max", "history")


@dataclass(eq=False)
class State:
    """A run under way: the model, what it learned so far, and where it stands."""

    data: PartlyLabeled
    settings: Settings
    compute: Compute
    model: Model
    generator: torch.Generator
    tables: Tables
    pretrained: dict[str, Tensor]  # encoder and projector as every stage finds them
    watch: tuple[int, ...] = ()  # samples whose credibility is recorded at every epoch
    stage: int = 0  # stages done
    epoch: int = 0  # epochs done in this stage
    stopped: bool = False  # this stage ends after the epoch
    steps: int = 0  # steps of the stages before this one
    views: int = 0  # that went through the networks so far
    p_last: int = 100
    d_max: float = 0.01
    learner: Learner | None = None  # of this stage, once it has begun
    history: list[dict[str, Any]] = field(default_factory=list)

    @property
    def clamped(self) -> Tensor:
        """Which samples keep their given label."""
        return self.data.trusted(self.settings.trust_labels)

    @property
    def well_labeled(self) -> bool:
        """Whether labels are trusted and every class has ten or more."""
        counts = torch.bincount(self.data.labels[self.data.given], minlength=self.data.k)
        return self.settings.trust_labels and int(counts.min()) >= _ENOUGH

    def new_learner(self, stage: Stage) -> Learner:
        """A fresh optimizer for a stage; only the building trains the classifier and averages weights."""
        build, phase = stage.name == "build", stage.phase
        for rate in self.settings.additions.rate:
            phase = replace(phase, lr=phase.lr * rate(self, stage.iteration))
        body = [*self.model.encoder.parameters(), *self.model.projector.parameters()]
        trained = self.model.parameters() if build else body
        return Learner(self.model, trained, self.settings, phase, average=build)

    def keep_pretrained(self) -> None:
        """Keep encoder and projector as they are now, to return to."""
        self.pretrained = {name: value.clone() for name, value in _body(self.model).items()}

    def reset(self) -> None:
        """Return encoder and projector to the pretrained state."""
        self.model.load_state_dict(self.pretrained, strict=False)

    def branch(self) -> "State":
        """A copy that goes on by itself, from between two stages."""
        tables = Tables(**{name: table.clone() for name, table in vars(self.tables).items()})
        generator = torch.Generator().set_state(self.generator.get_state())
        history = [dict(row) for row in self.history]
        model = copy.deepcopy(self.model)
        return replace(self, model=model, generator=generator, tables=tables, history=history)

    def tensors(self) -> dict[str, Tensor]:
        """Every tensor of the run, by name."""
        found = {f"model.{name}": value for name, value in self.model.state_dict().items()}
        found |= {f"pretrained.{name}": value for name, value in self.pretrained.items()}
        found |= {f"tables.{name}": value for name, value in vars(self.tables).items()}
        found |= {"random.own": self.generator.get_state(), "random.global": torch.get_rng_state()}
        return found | (self.learner.tensors() if self.learner else {})

    def numbers(self) -> dict[str, Any]:
        """Everything else of the run."""
        numbers: dict[str, Any] = {name: getattr(self, name) for name in _NUMBERS}
        return numbers | {"learner": self.learner.numbers() if self.learner else None}

    def restore(self, tensors: dict[str, Tensor], numbers: dict[str, Any]) -> None:
        """Go on from what `tensors` and `numbers` gave."""
        self.model.load_state_dict(_part(tensors, "model."))
        self.pretrained = _part(tensors, "pretrained.")
        self.tables = Tables(**_part(tensors, "tables."))
        self.generator.set_state(tensors["random.own"])
        torch.set_rng_state(tensors["random.global"])
        for name in _NUMBERS:
            setattr(self, name, numbers[name])
        if numbers["learner"] is not None:
            self.learner = self.new_learner(plan(self.settings)[self.stage])
            self.learner.restore(tensors, numbers["learner"])


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _body(model: Model) -> dict[str, Tensor]:
    """Weights and statistics of encoder and projector."""
    return {n: v for n, v in model.state_dict().items() if n.startswith(("encoder.", "projector."))}
