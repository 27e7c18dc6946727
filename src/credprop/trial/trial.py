"""The trial: given labels are hidden in turn, and candidates predict them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.ccp import Progress, Settings, identity_of, planned_steps, pretrain_once, with_budget
from credprop.data import PartlyLabeled
from credprop.training import Compute, predict_logits
from credprop.trial.candidates import CANDIDATES, LINEAR, Member, Task, features_of
from credprop.trial.folds import FOLDS, make_folds
from credprop.trial.hidden import Hidden
from credprop.trial.ledger import Ledger
from credprop.trial.meter import Meter

TrustLabels = bool | Literal["auto"]
OnProgress = Callable[[Progress], None]
PRETRAINING = "pretraining"
_ONE_OF = 3  # folds of which one is tried where networks learn from images or texts


@dataclass(frozen=True, kw_only=True)
class TrialOptions:
    """What a user may choose about the trial."""

    trust_labels: TrustLabels = "auto"  # "auto": both are candidates
    folds: int | None = None  # at most; None: FOLDS on vectors, else one, which hides a third of the labels
    metric: str = "accuracy"  # what the certificate compares
    safe: bool = True  # a blend that is shown to be worse is not shipped
    jobs: int = 1  # processes for the folds
    length: float = 0.5  # of all phases after the pretraining, for every member, as a share of the settings'


@dataclass(frozen=True, eq=False)
class Trial:
    """The shared part of all candidates, and the folds."""

    task: Task
    options: TrialOptions
    folds: Sequence[Int[Tensor, " h"]]
    ledger: Ledger
    meter: Meter

    @property
    def candidates(self) -> list[str]:
        """The candidates that these labels and rows allow."""
        return offered(self.options.trust_labels, self.task.features is not None)

    def hide(self) -> Hidden:
        """What every candidate says of every hidden label."""
        parts = [(name, fold) for fold in range(len(self.folds)) for name in self.candidates]
        if self.options.jobs > 1:
            self._predict_in_parallel(parts)
        done = {part: self._predict(*part) for part in parts}
        labels = self.task.data.labels
        log_p = {name: [done[name, fold] for fold in range(len(self.folds))] for name in self.candidates}
        return Hidden(folds=self.folds, log_p=log_p, labels=[labels[rows] for rows in self.folds])

    def _predict(self, name: str, fold: int) -> Float[Tensor, "h k"]:
        """Log-probabilities of the rows of a fold by a candidate that does not know their labels."""
        part = part_name(name, fold)
        found = self.ledger.get(part)
        if found is None:
            title = f"trial, fold {fold + 1}/{len(self.folds)}, {name}"
            task = replace(
                self._task_of(fold),
                checkpoint=self.ledger.running(part),
                on_progress=self.meter.part(part, title),
            )
            found = predict_hidden(name, task, self.folds[fold])
            self.ledger.put(part, found)
        self.meter.finish(part)
        return found

    def _predict_in_parallel(self, parts: Sequence[tuple[str, int]]) -> None:
        """Put what is missing into the ledger, in processes of their own."""
        from joblib import Parallel, delayed

        left = [part for part in parts if self.ledger.get(part_name(*part)) is None]
        threads = max(1, torch.get_num_threads() // self.options.jobs)
        calls = (
            delayed(_predict_alone)(name, self._task_of(fold), self.folds[fold], threads)
            for name, fold in left
        )
        found = Parallel(n_jobs=self.options.jobs, return_as="generator")(calls)
        for (name, fold), log_p in zip(left, found, strict=True):
            self.ledger.put(part_name(name, fold), log_p)
            self.meter.finish(part_name(name, fold))

    def _task_of(self, fold: int) -> Task:
        """The shared task without the labels of a fold."""
        return replace(self.task, data=without_labels(self.task.data, self.folds[fold]))

    def learn(self, name: str, doubted: Bool[Tensor, " n"] | None) -> Member:
        """A candidate that knows all given labels, but does not trust the doubted ones."""
        part = part_name(name, None)
        task = replace(
            self.task,
            data=replace(self.task.data, doubted=doubted),
            checkpoint=self.ledger.running(part),
            on_progress=self.meter.part(part, f"all labels, {name}"),
        )
        member = CANDIDATES[name](task)
        self.meter.finish(part)
        return member


def begin_trial(
    data: PartlyLabeled,
    settings: Settings,
    options: TrialOptions,
    *,
    seed: int,
    compute: Compute,
    checkpoint: Path | None = None,
    watch: Sequence[int] = (),
    on_progress: OnProgress = lambda progress: None,
) -> Trial:
    """Folds, and the pretraining that all candidates share."""
    settings = shortened(settings, options.length)
    folds = choose_folds(data, options, seed)
    identity = {} if checkpoint is None else identity_of(data, settings, seed, compute) | _named(options)
    ledger = Ledger.open(checkpoint, identity)
    names = offered(options.trust_labels, data.kind == "vectors" or settings.pretrain is not None)
    meter = Meter(on_progress, costs(data, settings, names, len(folds)))
    pretrained = pretrain_once(
        data,
        settings,
        seed=seed,
        compute=compute,
        checkpoint=ledger.running(PRETRAINING),
        on_progress=meter.part(PRETRAINING),
    )
    meter.finish(PRETRAINING)
    task = Task(
        data=data,
        settings=settings,
        seed=seed,
        compute=compute,
        pretrained=pretrained,
        features=features_of(data, settings, pretrained, compute),
        watch=tuple(watch),
    )
    return Trial(task, options, folds, ledger, meter)


def _named(options: TrialOptions) -> dict[str, object]:
    """The options that a trial that goes on must share: all but the number of processes."""
    return {name: value for name, value in vars(options).items() if name != "jobs"}


def offered(trust_labels: TrustLabels, features: bool) -> list[str]:
    """Names of the candidates, in the order of `CANDIDATES`."""
    left_out = {True: {"ccp-refined"}, False: {"ccp"}, "auto": set()}[trust_labels]
    return [name for name in CANDIDATES if name not in left_out and (features or name not in LINEAR)]


def choose_folds(data: PartlyLabeled, options: TrialOptions, seed: int) -> list[Int[Tensor, " h"]]:
    """Rows to hide, fold by fold."""
    generator = torch.Generator().manual_seed(seed)
    one = options.folds is None and data.kind != "vectors"
    most = _ONE_OF if one else max(2, options.folds or FOLDS)
    folds = make_folds(data.labels, most=most, groups=data.groups, generator=generator)
    return folds[:1] if one else folds


def costs(data: PartlyLabeled, settings: Settings, names: Sequence[str], folds: int) -> dict[str, float]:
    """About how long each part takes, in gradient steps of CCP."""
    whole = planned_steps(data, settings)
    pretraining = whole - planned_steps(data, replace(settings, pretrain=None))
    batch = settings.build.batch_size if settings.build else 1
    labels = min(1.0, len(data.given) / batch)
    of = {name: float(whole - pretraining) for name in names} | dict.fromkeys(LINEAR, 1.0)
    of["supervised"] = max(0.1, labels) * whole / 2
    parts = {PRETRAINING: float(pretraining)}
    for name in names:
        parts |= {part_name(name, fold): of[name] for fold in (None, *range(folds))}
    return parts


def shortened(settings: Settings, length: float) -> Settings:
    """The same settings with all phases but the pretraining of another length."""
    return replace(with_budget(settings, length), pretrain=settings.pretrain)


def times_longer(data: PartlyLabeled, settings: Settings, options: TrialOptions, seed: int) -> float:
    """About how many times longer a fit takes with the trial than without."""
    whole, settings = planned_steps(data, settings), shortened(settings, options.length)
    names = offered(options.trust_labels, data.kind == "vectors" or settings.pretrain is not None)
    parts = costs(data, settings, names, len(choose_folds(data, options, seed)))
    return sum(parts.values()) / whole


def part_name(name: str, fold: int | None) -> str:
    """Name of the training of a candidate, for a fold or on all labels."""
    return f"{name}-all" if fold is None else f"{name}-fold-{fold}"


def without_labels(data: PartlyLabeled, rows: Int[Tensor, " h"]) -> PartlyLabeled:
    """The data with the labels of these rows hidden."""
    return replace(data, labels=data.labels.index_fill(0, rows, -1))


def predict_hidden(name: str, task: Task, rows: Int[Tensor, " h"]) -> Float[Tensor, "h k"]:
    """Log-probabilities of rows, by a candidate that learns from the task."""
    return predict_logits(CANDIDATES[name](task).model, task.data.x, rows).log_softmax(dim=1)


def _predict_alone(name: str, task: Task, rows: Int[Tensor, " h"], threads: int) -> Float[Tensor, "h k"]:
    """The same in a process of its own, with its share of the threads."""
    torch.set_num_threads(threads)
    return predict_hidden(name, task, rows)
