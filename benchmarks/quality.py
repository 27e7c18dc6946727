"""CCP compared with the supervised baseline on digits and on a part of CIFAR-10.

`python benchmarks/quality.py digits-few` (or `digits-noisy`, `cifar10`) prints one line per seed and the
mean. Settings are those of the preset `auto`, which was tuned on these data sets with the true classes of
unlabeled training rows (docs/log.md).
"""

import argparse
import dataclasses
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from credprop.ccp import choose_settings, train, train_supervised
from credprop.data import PartlyLabeled
from credprop.methods.seal import with_softmax
from credprop.training import accuracy, choose_compute


class Cell(NamedTuple):
    """A partly labeled training set, a test set, and whether the given labels are to be trusted."""

    data: PartlyLabeled
    x_test: np.ndarray[Any, Any]
    y_test: torch.Tensor
    trust: bool


def hide_labels(
    y: np.ndarray[Any, Any], per_class: int, noise: float, rng: np.random.Generator
) -> torch.Tensor:
    """Labels of a few samples per class, a share of them wrong; -1 elsewhere."""
    k = int(y.max()) + 1
    labels = np.full(len(y), -1)
    for c in range(k):
        labels[rng.permutation(np.flatnonzero(y == c))[:per_class]] = c
    given = np.flatnonzero(labels >= 0)
    wrong = rng.permutation(given)[: round(noise * len(given))]
    labels[wrong] = (labels[wrong] + rng.integers(1, k, len(wrong))) % k
    return torch.from_numpy(labels)


def digits(seed: int, per_class: int, noise: float) -> Cell:
    """Ten digits of 8 x 8 pixels as vectors, 30 % held out."""
    x, y = load_digits(return_X_y=True)
    split = train_test_split(x.astype(np.float32), y, test_size=0.3, stratify=y, random_state=seed)
    x_train, x_test, y_train, y_test = split
    labels = hide_labels(y_train, per_class, noise, np.random.default_rng(seed))
    data = PartlyLabeled(x=x_train, labels=labels, k=10, truth=torch.from_numpy(y_train))
    return Cell(data, x_test, torch.from_numpy(y_test), trust=not noise)


def cifar10(seed: int) -> Cell:
    """The first four classes of CIFAR-10, 1,000 images each, 25 of them labeled."""
    folder = os.environ.get("CREDPROP_DATA")
    if not folder:
        raise SystemExit("set CREDPROP_DATA to the folder that holds cifar10_12k.npz")
    file = np.load(Path(folder) / "cifar10_12k.npz")
    train_rows, test_rows = file["y_train"] < 4, file["y_test"] < 4
    y = file["y_train"][train_rows].astype(np.int64)
    labels = hide_labels(y, 25, 0.0, np.random.default_rng(seed))
    data = PartlyLabeled(x=file["x_train"][train_rows], labels=labels, k=4, truth=torch.from_numpy(y))
    y_test = torch.from_numpy(file["y_test"][test_rows].astype(np.int64))
    return Cell(data, file["x_test"][test_rows], y_test, trust=True)


CELLS: dict[str, Callable[[int], Cell]] = {
    "digits-few": lambda seed: digits(seed, per_class=4, noise=0.0),
    "digits-noisy": lambda seed: digits(seed, per_class=20, noise=0.4),
    "cifar10": cifar10,
}


def measure(cell: Cell, seed: int, precision: Any, *, softmax: bool = False) -> dict[str, Any]:
    """Accuracies of CCP and of the supervised baseline, and of pseudo-labels by iteration."""
    settings = dataclasses.replace(choose_settings(cell.data), trust_labels=cell.trust)
    settings = with_softmax(settings) if softmax else settings
    compute = choose_compute(precision=precision)
    start = time.perf_counter()
    result = train(cell.data, settings, seed=seed, compute=compute)
    seconds = time.perf_counter() - start
    baseline = train_supervised(cell.data, settings, result.steps, seed=seed, compute=compute)
    given = cell.data.given
    ends = [row for row in result.history if "p" in row]
    ratios = [row["strength_right"] / (row["strength_wrong"] or float("nan")) for row in ends]
    return {
        "pseudo": ends[-1]["pseudo_label_accuracy"],
        "right/wrong": ratios[-1],
        "ccp": accuracy(result.model, cell.x_test, cell.y_test),
        "supervised": accuracy(baseline, cell.x_test, cell.y_test),
        "supervised, training": accuracy(baseline, cell.data.rows(given), cell.data.labels[given]),
        "steps": float(result.steps),
        "seconds": seconds,
        "seconds, supervised": time.perf_counter() - start - seconds,
        "pseudo by iteration": [row["pseudo_label_accuracy"] for row in ends],
        "right/wrong by iteration": ratios,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cell", choices=CELLS)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--precision", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--softmax", action="store_true", help="ablation: softmax instead of credibility")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    rows = []
    for seed in range(options.seeds):
        row = measure(CELLS[options.cell](seed), seed, options.precision, softmax=options.softmax)
        print(f"seed {seed}: {describe(row)}", flush=True)
        rows.append(row)
    mean = {name: np.nanmean([row[name] for row in rows], axis=0) for name in rows[0]}
    print(f"mean:   {describe(mean)}")


def describe(row: dict[str, Any]) -> str:
    """A row as text."""
    return ", ".join(
        f"{name} {' '.join(f'{v:.3f}' for v in np.atleast_1d(value))}" for name, value in row.items()
    )


if __name__ == "__main__":
    main()
