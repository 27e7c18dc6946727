"""Tiny methods for a bench, in a module that worker processes can import."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from credprop.data import PartlyLabeled


@dataclass(frozen=True, eq=False)
class Learned:
    """What a method returns."""

    predict: Any
    pseudo_labels: Tensor | None
    steps: int = 1
    samples: int = 1
    history: list[dict[str, Any]] = field(default_factory=list)
    first: "Learned | None" = None


def majority(data: PartlyLabeled, settings: Any, seed: int) -> Learned:
    """The most frequent label for every row."""
    most = int(data.labels[data.given].mode().values)
    return Learned(lambda x: torch.full((len(x),), most), None)


def centroid(data: PartlyLabeled, settings: Any, seed: int) -> Learned:
    """The class of the nearest mean of labeled rows; after the first iteration no more than the majority."""
    x, y = data.rows(data.given), data.labels[data.given]
    means = torch.stack([x[y == c].mean(dim=0) for c in range(data.k)])

    def predict(rows: Any) -> Tensor:
        return torch.cdist(torch.as_tensor(rows).float(), means).argmin(dim=1)

    history: list[dict[str, Any]] = [
        {"loss": 1.0},
        {"pseudo_label_accuracy": 0.5, "p": float("nan"), "names": ["x"]},
    ]
    first = majority(data, settings, seed)
    return Learned(predict, predict(data.rows(torch.arange(len(data)))), 7, 70, history, first)


def broken(data: PartlyLabeled, settings: Any, seed: int) -> Learned:
    """Fail, unless the file of BENCH_REPAIRED exists."""
    if Path(os.environ.get("BENCH_REPAIRED", "/nowhere")).exists():
        return majority(data, settings, seed)
    raise RuntimeError("it broke\nin two lines")


def crash(data: PartlyLabeled, settings: Any, seed: int) -> Learned:
    """Nothing: its process dies with the second seed."""
    if seed == 1:
        os._exit(3)
    return majority(data, settings, seed)


def slow(data: PartlyLabeled, settings: Any, seed: int) -> Learned:
    """The majority, after a note that it was asked and a while."""
    with Path(os.environ["BENCH_LOG"]).open("a") as file:
        file.write(f"{os.getpid()} {len(data.given)} {seed}\n")
    time.sleep(0.15)
    return majority(data, settings, seed)


METHODS = {
    "supervised": majority,
    "centroid": centroid,
    "broken": broken,
    "crash": crash,
    "slow": slow,
}
VECTORS_ONLY = frozenset({"centroid"})
