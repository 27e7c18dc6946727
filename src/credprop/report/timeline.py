"""The history of a run: losses, iterations, and the credibility of single samples over epochs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from credprop.report.formatting import rounded

Row = Mapping[str, Any]

_EPOCHS = 1_500  # maximum points of a loss curve
_POINTS = 200  # maximum points of a trajectory
_SAMPLES = 8
_LOW_AGREEMENT = 0.7  # below it, the classifier relies more on given labels than on refined ones
_LINES = 3


def losses(history: Sequence[Row]) -> list[dict[str, Any]]:
    """The loss of every epoch, one line per stage, with epochs counted over the whole run."""
    step = _stride(len(history), _EPOCHS)
    lines: list[dict[str, Any]] = []
    for (stage, iteration), rows in _stages(history):
        if not any("loss" in row for _, row in rows):
            continue
        kept = [*rows[:-1:step], rows[-1]]  # always with the last epoch of a stage
        x = [number for number, _ in kept]
        y = rounded(np.array([row.get("loss", np.nan) for _, row in kept]))
        lines.append({"stage": stage, "iteration": iteration, "x": x, "y": y})
    return lines


def _stages(history: Sequence[Row]) -> Iterator[tuple[tuple[str, int], list[tuple[int, Row]]]]:
    """Every stage with its epochs, numbered over the whole run."""
    numbered = enumerate(history, start=1)
    for key, rows in groupby(numbered, key=lambda pair: (pair[1]["stage"], pair[1].get("iteration", 0))):
        yield key, list(rows)


def _stride(count: int, most: int) -> int:
    return max(1, -(-count // most))


def iterations(history: Sequence[Row], rows: int) -> list[dict[str, Any]]:
    """Metrics at the end of every iteration; `rows` is the number of samples it could label."""
    ends = [row for row in history if row.get("p") is not None]
    return [
        {
            "iteration": end["iteration"],
            "rounds": end.get("rounds"),
            "p": end["p"],
            "kl": end.get("kl"),
            "d_max": end.get("d_max"),
            "labeled": end.get("labeled"),
            "share": min(1.0, end.get("labeled", 0) / max(1, rows)),
            "strength": end.get("strength"),
            "accuracy": end.get("pseudo_label_accuracy"),
            "strength_right": end.get("strength_right"),
            "strength_wrong": end.get("strength_wrong"),
        }
        for end in ends
    ]


def agreement(history: Sequence[Row]) -> dict[str, Any] | None:
    """Agreement of refined labels with a regression on the given labels; None if it was not used."""
    kappa = next((row["agreement"] for row in history if row.get("agreement") is not None), None)
    return None if kappa is None else {"kappa": kappa, "little": kappa < _LOW_AGREEMENT}


def trajectories(history: Sequence[Row], given: np.ndarray) -> list[dict[str, Any]]:
    """Credibility of the tracked samples by epoch, one line for each of their strongest classes."""
    epochs = [row for row in history if row.get("watched")]
    if not epochs:
        return []
    table = np.array([row["watched"] for row in epochs], dtype=float)  # (epochs, samples, k); None is NaN
    iteration = np.array([row.get("iteration", 0) for row in epochs])
    starts = (np.flatnonzero(np.diff(iteration)) + 1.5).tolist()
    kept = np.arange(0, len(epochs), _stride(len(epochs), _POINTS))
    return [
        {
            "position": position,
            "starts": starts,
            "lines": [
                {"class": c, "x": (kept + 1).tolist(), "y": rounded(table[kept, position, c])}
                for c in _strongest(table[:, position], given[position])
            ],
        }
        for position in range(min(_SAMPLES, table.shape[1], len(given)))
    ]


def _strongest(credibility: np.ndarray, given: int) -> list[int]:
    """The classes with the highest credibility, mainly in the last epochs, and the given one."""
    values = np.nan_to_num(credibility, nan=-1.0)
    score = values.max(axis=0) + values[-max(1, len(values) // 4) :].mean(axis=0)
    order: list[int] = np.argsort(-score, kind="stable")[:_LINES].tolist()
    if given >= 0 and given not in order:
        order[-1] = int(given)
    return order
