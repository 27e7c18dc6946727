"""All that changes during a run, so that a checkpoint can hold it."""

import copy
import math
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import Tensor

from credprop.ccp.additions.lesson import Lesson
from credprop.ccp.settings import Settings
from credprop.data import PartlyLabeled
from credprop.functional import initial_credibility
from credprop.networks import Model
from credprop.training.device import Compute
from credprop.training.optimization import Learner, Phase


@dataclass(frozen=True)
class Stage:
    """One stretch of a run: the pretraining, an iteration (counted from 1), or the building."""

    name: str  # "pretrain", "refine" or "build"
    iteration: int
    phase: Phase

    def steps(self, n: int) -> int:
        """Steps along the gradient with this many samples, if the stage does not stop early."""
        return self.phase.epochs * math.ceil(n / self.phase.batch_size)


def plan(settings: Settings) -> list[Stage]:
    """The stages of a run, in order."""
    stages = [] if settings.pretrain is None else [Stage("pretrain", 0, settings.pretrain)]
    for m in range(1, settings.iterations + 1):
        stages.append(Stage("refine", m, settings.first if m == 1 else settings.refine))
    return stages if settings.build is None else [*stages, Stage("build", 0, settings.build)]


def planned_steps(data: PartlyLabeled, settings: Settings) -> int:
    """Steps along the gradient of all stages together, if none stops early."""
    return sum(stage.steps(len(data)) for stage in plan(settings))


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


_MANY = 10  # labels of a class
_NUMBERS = ("stage", "epoch", "stopped", "steps", "views", "p_last", "d_max", "history")


@dataclass(eq=False)
class Run:
    """A run under way: the model, what it learned so far, and where it stands."""

    data: PartlyLabeled
    settings: Settings
    compute: Compute
    model: Model
    generator: torch.Generator
    tables: Tables
    start: dict[str, Tensor]  # encoder and projector as every stage finds them
    stage: int = 0
    epoch: int = 0  # epochs done in this stage
    stopped: bool = False
    steps: int = 0  # steps of the stages before this one
    views: int = 0  # that went through the networks so far
    p_last: int = 100
    d_max: float = 0.01
    learner: Learner | None = None
    lesson: Lesson | None = None  # for the classifier: follows from the tables
    history: list[dict[str, Any]] = field(default_factory=list)

    @property
    def clamped(self) -> Tensor:
        """Which samples keep their given label."""
        return (self.data.labels >= 0) & self.settings.trust_labels

    @property
    def well_labeled(self) -> bool:
        """Whether labels are trusted and every class has ten or more: what these teach is hard to beat."""
        counts = torch.bincount(self.data.labels[self.data.given], minlength=self.data.k)
        return self.settings.trust_labels and int(counts.min()) >= _MANY

    def new_learner(self, stage: Stage) -> Learner:
        """A fresh optimizer for a stage; only the building trains the classifier and averages weights."""
        build, phase = stage.name == "build", stage.phase
        if self.settings.slow_uneven and stage.iteration == 1:
            phase = replace(phase, lr=phase.lr * max(1 / 3, self.data.evenness))
        trained = (
            self.model.parameters()
            if build
            else [*self.model.encoder.parameters(), *self.model.projector.parameters()]
        )
        return Learner(self.model, trained, self.settings, phase, average=build)

    def remember_start(self) -> None:
        """Keep encoder and projector as they are now, to return to."""
        self.start = {name: value.clone() for name, value in _body(self.model).items()}

    def reset(self) -> None:
        """Return encoder and projector to the state that was remembered."""
        self.model.load_state_dict(self.start, strict=False)

    def branch(self) -> "Run":
        """A copy that goes on by itself, from between two stages."""
        tables = Tables(**{name: table.clone() for name, table in vars(self.tables).items()})
        generator = torch.Generator().set_state(self.generator.get_state())
        history = [dict(row) for row in self.history]
        model = copy.deepcopy(self.model)
        return replace(self, model=model, generator=generator, tables=tables, history=history)

    def tensors(self) -> dict[str, Tensor]:
        """Every tensor of the run, by name."""
        found = {f"model.{name}": value for name, value in self.model.state_dict().items()}
        found |= {f"start.{name}": value for name, value in self.start.items()}
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
        self.start = _part(tensors, "start.")
        self.tables = Tables(**_part(tensors, "tables."))
        self.generator.set_state(tensors["random.own"])
        torch.set_rng_state(tensors["random.global"])
        for name in _NUMBERS:
            setattr(self, name, numbers[name])
        self.lesson = None
        if numbers["learner"] is not None:
            self.learner = self.new_learner(plan(self.settings)[self.stage])
            self.learner.restore(tensors, numbers["learner"])


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _body(model: Model) -> dict[str, Tensor]:
    """Weights and statistics of encoder and projector."""
    return {n: v for n, v in model.state_dict().items() if n.startswith(("encoder.", "projector."))}
