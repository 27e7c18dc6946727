"""All that the page is drawn from, and what follows from it row by row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd


class Samples(Protocol):
    """Raw samples, read by index."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Any: ...


@dataclass(frozen=True, eq=False, kw_only=True)
class Evidence:
    """A run, as plain arrays: what came in, what was learned, and how."""

    title: str  # for example the name of the file
    kind: str  # "vectors", "images" or "text"
    classes: Sequence[str]
    given: np.ndarray  # (n,) codes, -1 is unlabeled
    q: np.ndarray  # (n, k) refined credibility, in [0, 1]
    frame: pd.DataFrame  # the columns of labels.csv
    opinion: np.ndarray  # (n, k) what the others think of given labels
    embedding: np.ndarray  # (n, d) of every sample, by the final encoder
    x: Samples  # vectors (n, d), or images (n, h, w, c) or (n, c, h, w), bytes or in [0, 1]
    columns: Sequence[str]  # names of features, or none
    history: Sequence[Mapping[str, Any]]  # a row an epoch, as the engine writes it
    watched: Sequence[int]  # rows whose credibility the history holds
    truth: np.ndarray | None  # (n,) codes, -1 is a stranger; known in demos and benches only
    metrics: Mapping[str, Any]
    settings: Mapping[str, Any]
    command: str  # how to repeat the run
    version: str
    texts: Samples | None = None  # of the rows, where they are text; shown in place of x

    def __len__(self) -> int:
        return len(self.given)


def refined(evidence: Evidence, rows: Sequence[int] | slice = slice(None)) -> np.ndarray:
    """Code of the class that each sample belongs to after refinement, -1 where no class has credibility."""
    q = evidence.q[rows]
    return np.where(q.max(axis=1) > 0, q.argmax(axis=1), -1)


def propagated(evidence: Evidence) -> int:
    """How many samples the run gave new vectors to: all, or the unlabeled ones where labels were trusted."""
    rows = np.flatnonzero(evidence.given >= 0)
    one_hot = np.eye(len(evidence.classes))[evidence.given[rows]]
    clamped = np.array_equal(evidence.q[rows], one_hot)
    return len(evidence) - len(rows) if clamped else len(evidence)


def flag(evidence: Evidence, column: str) -> np.ndarray:
    """A column of yes and no as booleans; empty is no."""
    return (evidence.frame[column] == True).to_numpy(dtype=bool)  # noqa: E712


def number(evidence: Evidence, column: str) -> np.ndarray:
    """A column of numbers as floats; empty is NaN."""
    values: np.ndarray = pd.to_numeric(evidence.frame[column], errors="coerce").to_numpy(dtype=float)
    return values
