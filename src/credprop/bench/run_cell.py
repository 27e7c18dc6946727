"""One run of a bench, usually in a worker process: train a method on a cell and evaluate it."""

import functools
import importlib
import math
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from credprop.bench.cells import Cell, class_counts, draw_cell
from credprop.bench.datasets import Dataset
from credprop.bench.judgment import summarize_judgment
from credprop.bench.results_folder import Key, Row, source_hash
from credprop.bench.scenarios import Scenario, scenarios
from credprop.bench.trajectories import summarize_trajectories
from credprop.ccp import choose_settings

METHODS = "credprop.methods"  # the module with the methods


@dataclass(frozen=True)
class Task:
    """A run to do."""

    scenario: Scenario
    method: str
    seed: int

    @property
    def key(self) -> Key:
        """The key that identifies the run."""
        return self.scenario.name, self.scenario.severity, self.method, self.seed


@dataclass(frozen=True, eq=False, kw_only=True)
class Bench:
    """The runs of a bench, their data and preset, and the name of the module with the methods.

    `command` is the command line that started it, stored with the results.
    """

    dataset: Dataset
    tasks: tuple[Task, ...]
    preset: str = "auto"
    methods: str = METHODS
    command: str = ""

    def identity(self) -> dict[str, Any]:
        """What all runs of a bench share, by name."""
        return {
            "training rows": len(self.dataset.y),
            "data": self.dataset.fingerprint(),
            "preset": self.preset,
            "cells": {
                s.cell: {"labels": sum(s.labels), "unlabeled": sum(s.unlabeled), "wrong": s.wrong}
                for s in scenarios(class_counts(self.dataset.y))
            },
        }


def load_methods(module: str = METHODS) -> Mapping[str, Callable[..., Any]]:
    """The methods of the comparison by name, then the ablations."""
    found: Mapping[str, Callable[..., Any]] = importlib.import_module(module).METHODS
    return {**found, **ablations(module)}


def ablations(module: str = METHODS) -> Mapping[str, Callable[..., Any]]:
    """The ablations by name: methods that run only when asked for."""
    found: Mapping[str, Callable[..., Any]] = getattr(importlib.import_module(module), "ABLATIONS", {})
    return found


def vectors_only(module: str = METHODS) -> frozenset[str]:
    """The names of methods that do not support images."""
    return frozenset(getattr(importlib.import_module(module), "VECTORS_ONLY", ()))


def run_task(bench: Bench, task: Task, parent: int) -> Row:
    """Do a run and return its row; an exception becomes the error of the row."""
    if os.getpid() != parent:
        _exit_with(parent)
    start = time.perf_counter()
    try:
        with _one_thread(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _measure(bench, task)
    except Exception as error:
        return failed_row(bench, task, f"{type(error).__name__}: {error}", time.perf_counter() - start)


def failed_row(bench: Bench, task: Task, error: str, seconds: float | None = None) -> Row:
    """The row of a run that failed."""
    return _row(bench, task, seconds=seconds and round(seconds, 3), error=" ".join(error.split())[:400])


def _row(bench: Bench, task: Task, **metrics: Any) -> Row:
    names = ("accuracy", "seconds", "pseudo_label_accuracy", "first_accuracy", "first_pseudo_label_accuracy")
    return {
        "data": bench.dataset.name,
        **dict(zip(("scenario", "severity", "method", "seed"), task.key, strict=True)),
        **dict.fromkeys((*names, "steps", "samples"), None),
        "history": [],
        "watched": None,
        "judged": None,
        "error": None,
        "code": source_hash(),
        **metrics,
    }


def _measure(bench: Bench, task: Task) -> Row:
    """Train the method, predict the test set once, and compute the metrics."""
    d = bench.dataset
    cell = draw_cell(d.x, d.y, d.test_x, d.test_y, task.scenario, task.seed)
    data = cell.data()
    torch.manual_seed(task.seed)
    start = time.perf_counter()
    learned = load_methods(bench.methods)[task.method](data, choose_settings(data, bench.preset), task.seed)
    seconds = time.perf_counter() - start
    first = {} if learned.first is None else _metrics(learned.first, cell)
    return _row(
        bench,
        task,
        seconds=round(seconds, 3),
        steps=learned.steps,
        samples=learned.samples,
        history=[_numbers(row) for row in learned.history if row.get("pseudo_label_accuracy") is not None],
        watched=summarize_trajectories(learned, cell.truth),
        judged=summarize_judgment(learned, cell),
        **_metrics(learned, cell),
        **{f"first_{name}": value for name, value in first.items()},
    )


def _metrics(learned: Any, cell: Cell) -> dict[str, float | None]:
    """Accuracy on the test set, and of the pseudo-labels on unlabeled rows that are not outliers."""
    predicted = np.asarray(learned.predict(cell.test_x[cell.test_rows]))
    if predicted.shape != cell.test_truth.shape:
        raise ValueError(f"predictions of shape {predicted.shape} for {len(cell.test_truth)} test rows")
    metrics: dict[str, float | None] = {"accuracy": _share(predicted == cell.test_truth)}
    hidden = (cell.labels < 0) & (cell.truth >= 0)
    given = learned.pseudo_labels
    right = None if given is None else (np.asarray(given) == cell.truth)[hidden]
    return metrics | {"pseudo_label_accuracy": None if right is None else _share(right)}


def _share(right: NDArray[np.bool_]) -> float | None:
    return float(right.mean()) if len(right) else None


def _numbers(row: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers in a row of a history, None where they are not finite."""
    numbers = {name: value for name, value in row.items() if isinstance(value, int | float)}
    return {name: value if math.isfinite(value) else None for name, value in numbers.items()}


@contextmanager
def _one_thread() -> Iterator[None]:
    """Limit all libraries to one thread, because runs share the cores as processes."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(limits=1):
            yield
    finally:
        torch.set_num_threads(before)


@functools.cache
def _exit_with(parent: int) -> None:
    """End this process soon after its parent, so that a killed bench leaves no processes behind."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
