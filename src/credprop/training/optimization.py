"""Optimization of a model: optimizer, schedule, averaged weights, early stopping."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam, Optimizer


@dataclass(frozen=True, kw_only=True)
class Phase:
    """Epochs, batch size and learning rate of one phase of training.

    The learning rate is lr * cos(7 pi s / 16 S) after s epochs, with S the `schedule_epochs`, by default the
    planned `epochs`. Training stops early after `patience` epochs without a lower loss; never if it is None.
    """

    epochs: int
    batch_size: int
    lr: float
    schedule_epochs: int | None = None
    patience: int | None = None

    def __post_init__(self) -> None:
        if self.epochs < 1 or self.batch_size < 1:
            raise ValueError(f"epochs and batch_size must be at least 1, not {self}")


class Optimization(Protocol):
    """Settings of the optimizer that all phases share."""

    @property
    def optimizer(self) -> Literal["sgd", "adam"]: ...

    @property
    def momentum(self) -> float: ...

    @property
    def weight_decay(self) -> float: ...

    @property
    def weight_average(self) -> float: ...

    @property
    def loss_average(self) -> float: ...

    @property
    def least_drop(self) -> float: ...


class Learner:
    """One phase of training: gradient steps, averaged weights, and when to stop."""

    def __init__(
        self,
        model: nn.Module,
        parameters: Iterable[nn.Parameter],
        settings: Optimization,
        phase: Phase,
        *,
        average: bool,
    ) -> None:
        self.model, self.settings, self.phase = model, settings, phase
        self.optimizer = _optimizer(parameters, settings)
        self.steps = 0
        self.average = {name: value.clone() for name, value in _floats(model)} if average else {}
        self.loss_average = math.nan
        self.best = math.inf
        self.waited = 0

    def step(self, loss: Tensor, progress: float) -> None:
        """One gradient step, `progress` epochs into the phase."""
        value = loss.item()
        if not math.isfinite(value):
            raise FloatingPointError(
                f"the loss is {value} after {self.steps} steps; try a lower learning rate"
            )
        rate = self.rate(progress)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.steps += 1
        self._follow_weights()
        decay = self.settings.loss_average
        self.loss_average = value if self.steps == 1 else decay * self.loss_average + (1 - decay) * value

    def rate(self, progress: float) -> float:
        """The learning rate after `progress` epochs: lr * cos(7 pi s / 16 S)."""
        horizon = self.phase.schedule_epochs or self.phase.epochs
        return self.phase.lr * math.cos(7 * math.pi * min(progress / horizon, 1) / 16)

    def stalls(self) -> bool:
        """Whether the averaged loss has stopped decreasing; call it once per epoch."""
        if self.loss_average < self.best - self.settings.least_drop:
            self.best, self.waited = self.loss_average, 0
        else:
            self.waited += 1
        return self.phase.patience is not None and self.waited >= self.phase.patience

    def take_average(self) -> None:
        """Put the averaged weights into the model."""
        self.model.load_state_dict(self.average, strict=False)

    def _follow_weights(self) -> None:
        # The decay starts low, so that random initial weights do not dominate a short phase.
        decay = min(self.settings.weight_average, (1 + self.steps) / (10 + self.steps))
        if self.average:
            torch._foreach_lerp_(list(self.average.values()), [v for _, v in _floats(self.model)], 1 - decay)

    def tensors(self) -> dict[str, Tensor]:
        """All tensors for a checkpoint, by name."""
        states = self.optimizer.state_dict()["state"]
        moments = {
            f"optimizer.{i}.{name}": t
            for i, state in states.items()
            for name, t in state.items()
            if t is not None
        }
        return moments | {f"average.{name}": value for name, value in self.average.items()}

    def numbers(self) -> dict[str, float]:
        """All numbers for a checkpoint."""
        return {
            "steps": self.steps,
            "loss_average": self.loss_average,
            "best": self.best,
            "waited": self.waited,
        }

    def restore(self, tensors: dict[str, Tensor], numbers: dict[str, float]) -> None:
        """Restore the state that `tensors` and `numbers` returned."""
        parameters = [p for group in self.optimizer.param_groups for p in group["params"]]
        states: dict[int, dict[str, Tensor]] = {}
        for name, tensor in tensors.items():
            if name.startswith("optimizer."):
                _, i, moment = name.split(".")
                states.setdefault(int(i), {})[moment] = _laid_out_as(parameters[int(i)], tensor)
        groups = self.optimizer.state_dict()["param_groups"]
        self.optimizer.load_state_dict({"state": states, "param_groups": groups})
        for name, value in self.average.items():
            value.copy_(tensors[f"average.{name}"])
        self.steps, self.waited = int(numbers["steps"]), int(numbers["waited"])
        self.loss_average, self.best = numbers["loss_average"], numbers["best"]


def _laid_out_as(parameter: Tensor, moment: Tensor) -> Tensor:
    """A moment in the memory layout of its parameter, as the optimizer expects it."""
    return torch.empty_like(parameter).copy_(moment) if moment.shape == parameter.shape else moment


def _optimizer(parameters: Iterable[nn.Parameter], settings: Optimization) -> Optimizer:
    parameters = list(parameters)
    # The fused optimizer is faster; on a CPU it must be requested, and needs dense weights.
    fused = all(p.is_cpu and torch.empty_like(p).stride() == p.stride() for p in parameters) or None
    decay, momentum = settings.weight_decay, settings.momentum
    if settings.optimizer == "adam":
        return Adam(parameters, lr=0.0, weight_decay=decay, fused=fused)
    return SGD(parameters, lr=0.0, momentum=momentum, nesterov=momentum > 0, weight_decay=decay, fused=fused)


def _floats(model: nn.Module) -> list[tuple[str, Tensor]]:
    """Weights and running statistics, without counters."""
    return [(name, value.detach()) for name, value in model.state_dict().items() if value.is_floating_point()]
