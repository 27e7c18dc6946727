"""The input of the report, and values derived from it by row."""

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
    """A run as plain arrays: the data, the results, and how they were obtained."""

    title: str  # for example the name of the file
    kind: str  # "vectors", "images" or "text"
    classes: Sequence[str]
    given: np.ndarray  # (n,) codes, -1 is unlabeled
    q: np.ndarray  # (n, k) refined credibility, in [0, 1]
    codes: np.ndarray  # (n,) of refined labels, -1 where nothing is known
    frame: pd.DataFrame  # the columns of labels.csv
    suggested: np.ndarray  # (n, k) how likely or credible each class is for a row with a given label
    embedding: np.ndarray  # (n, d) of every sample, by the final encoder
    x: Samples  # vectors (n, d), or images (n, h, w, c) or (n, c, h, w), bytes or in [0, 1]
    columns: Sequence[str]  # names of features, or none
    history: Sequence[Mapping[str, Any]]  # one row per epoch
    tracked: Sequence[int]  # samples whose credibility is in the history
    truth: np.ndarray | None  # (n,) codes, -1 is an outlier; known only in the demo
    metrics: Mapping[str, Any]
    settings: Mapping[str, Any]
    command: str  # that repeats the run
    version: str
    texts: Samples | None = None  # raw texts, if the rows are texts; shown instead of x

    def __len__(self) -> int:
        return len(self.given)


def refined(evidence: Evidence, rows: Sequence[int] | slice = slice(None)) -> np.ndarray:
    """Code of the refined label of each sample, -1 where nothing is known."""
    return evidence.codes[rows]


def propagated(evidence: Evidence) -> int:
    """Number of samples whose label could change: all, or the unlabeled ones if labels were clamped."""
    rows = np.flatnonzero(evidence.given >= 0)
    one_hot = np.eye(len(evidence.classes))[evidence.given[rows]]
    clamped = np.array_equal(evidence.q[rows], one_hot)
    return len(evidence) - len(rows) if clamped else len(evidence)


def flag(evidence: Evidence, column: str) -> np.ndarray:
    """A boolean column; empty values are False."""
    return (evidence.frame[column] == True).to_numpy(dtype=bool)  # noqa: E712


def number(evidence: Evidence, column: str) -> np.ndarray:
    """A numeric column as floats; empty values are NaN."""
    values: np.ndarray = pd.to_numeric(evidence.frame[column], errors="coerce").to_numpy(dtype=float)
    return values
