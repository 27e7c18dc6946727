"""What the history of a run says over time: losses, iterations, and how single samples moved."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from credprop.report.words import rounded

Row = Mapping[str, Any]

_EPOCHS = 1_500  # points of the loss at most
_MOVES = 200  # points of a line of credibility at most
_SAMPLES = 8
_LITTLE = 0.7  # agreement, below which the classifier heeds the given labels more than the refined ones
_LINES = 3


def losses(history: Sequence[Row]) -> list[dict[str, Any]]:
    """The loss of every epoch, a line a stage that learned, with epochs counted through the run."""
    step = _stride(len(history), _EPOCHS)
    lines: list[dict[str, Any]] = []
    for (stage, iteration), rows in _stages(history):
        if not any("loss" in row for _, row in rows):
            continue
        kept = [*rows[:-1:step], rows[-1]]  # the last epoch of a stage always counts
        x = [number for number, _ in kept]
        y = rounded(np.array([row.get("loss", np.nan) for _, row in kept]))
        lines.append({"stage": stage, "iteration": iteration, "x": x, "y": y})
    return lines


def _stages(history: Sequence[Row]) -> Iterator[tuple[tuple[str, int], list[tuple[int, Row]]]]:
    """Every stage with its epochs, numbered through the run."""
    numbered = enumerate(history, start=1)
    for key, rows in groupby(numbered, key=lambda pair: (pair[1]["stage"], pair[1].get("iteration", 0))):
        yield key, list(rows)


def _stride(count: int, most: int) -> int:
    return max(1, -(-count // most))


def iterations(history: Sequence[Row], rows: int) -> list[dict[str, Any]]:
    """What each iteration ended with; `rows` is how many samples it could label."""
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
    """How far refined labels agree with what given ones say alone; None where these were not asked."""
    kappa = next((row["agreement"] for row in history if row.get("agreement") is not None), None)
    return None if kappa is None else {"kappa": kappa, "little": kappa < _LITTLE}


def movements(history: Sequence[Row], given: np.ndarray) -> list[dict[str, Any]]:
    """How the credibility of the watched samples moved: a line for each of its few strongest classes."""
    epochs = [row for row in history if row.get("watched")]
    if not epochs:
        return []
    table = np.array([row["watched"] for row in epochs], dtype=float)  # (epochs, watched, k); None is NaN
    iteration = np.array([row.get("iteration", 0) for row in epochs])
    starts = (np.flatnonzero(np.diff(iteration)) + 1.5).tolist()
    kept = np.arange(0, len(epochs), _stride(len(epochs), _MOVES))
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


def _strongest(moves: np.ndarray, given: int) -> list[int]:
    """The classes that a sample was closest to, last epochs first in weight, and the one it was given."""
    values = np.nan_to_num(moves, nan=-1.0)
    score = values.max(axis=0) + values[-max(1, len(values) // 4) :].mean(axis=0)
    order: list[int] = np.argsort(-score, kind="stable")[:_LINES].tolist()
    if given >= 0 and given not in order:
        order[-1] = int(given)
    return order
