"""A cell: the data of one scenario and seed, the same for every method."""

import io
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from credprop.bench.scenarios import Scenario
from credprop.data import UNLABELED, PartlyLabeled, Tokens
from credprop.files import write_whole

OUTLIER = -1
MAX_TEXT_BYTES = 4 << 30  # of texts in an .npz file, before compression
_WHOLE = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True, eq=False, kw_only=True)
class Cell:
    """Row indices of a data set, with the labels a method is given and the true labels to evaluate it.

    `labels` are codes of in-distribution (ID) classes, -1 for unlabeled rows; `truth` are codes, -1 for
    outliers. Test rows are of ID classes only.
    """

    x: Any  # an array, or Tokens
    rows: NDArray[np.intp]  # of x, in its order
    labels: NDArray[np.int64]
    truth: NDArray[np.int64]
    test_x: Any
    test_rows: NDArray[np.intp]  # of test_x
    test_truth: NDArray[np.int64]
    class_names: tuple[str, ...]  # of the ID classes
    scenario: Scenario
    seed: int

    @property
    def k(self) -> int:
        """Number of ID classes."""
        return len(self.class_names)

    def data(self) -> PartlyLabeled:
        """The training data of a method."""
        labels, truth = torch.from_numpy(self.labels), torch.from_numpy(self.truth)
        return PartlyLabeled(x=self.x[self.rows], labels=labels, k=self.k, truth=truth)


def class_order(y: Sequence[Any] | NDArray[Any]) -> list[Any]:
    """The classes in order of value; integers, also as text, in numerical order."""
    classes = set(np.asarray(y).tolist())
    if all(isinstance(name, str) and _WHOLE.fullmatch(name) for name in classes):
        return sorted(classes, key=lambda name: (int(name), name))
    return sorted(classes)


def class_counts(y: Sequence[Any] | NDArray[Any]) -> list[int]:
    """Number of rows of each class, in class order."""
    codes = _codes(np.asarray(y), order := class_order(y))
    counts: list[int] = np.bincount(codes, minlength=len(order)).tolist()
    return counts


def draw_cell(
    x: Any,
    y: NDArray[Any],
    test_x: Any,
    test_y: NDArray[Any],
    scenario: Scenario,
    seed: int,
) -> Cell:
    """Draw the cell of this scenario and seed.

    Cells with the same seed share as many rows and labels as possible. The rows of each class are shuffled by
    the seed only; labeled rows are taken from the front and unlabeled ones from the end.
    """
    order = class_order(y)
    if len(order) != len(scenario.labels):
        raise ValueError(f"the scenario is for {len(scenario.labels)} classes, the data has {len(order)}")
    codes = _codes(y, order)
    truth = np.where(codes < scenario.k, codes, OUTLIER)
    labels = np.full(len(y), UNLABELED)
    used = np.zeros(len(y), dtype=bool)
    for c, (labeled, unlabeled) in enumerate(zip(scenario.labels, scenario.unlabeled, strict=True)):
        members = np.flatnonzero(codes == c)
        if labeled + unlabeled > len(members):
            raise ValueError(
                f"the scenario needs {labeled + unlabeled} rows of a class that has {len(members)}"
            )
        members = np.random.default_rng([seed, 0, c]).permutation(members)
        labels[members[:labeled]] = c
        used[members[:labeled]] = used[members[len(members) - unlabeled :]] = True
    labels = _with_noise(labels, scenario, np.random.default_rng([seed, 1]))
    rows, test_codes = np.flatnonzero(used), _codes(test_y, order)
    test_rows = np.flatnonzero((test_codes >= 0) & (test_codes < scenario.k))
    return Cell(
        x=x,
        rows=rows,
        labels=labels[rows],
        truth=truth[rows],
        test_x=test_x,
        test_rows=test_rows,
        test_truth=test_codes[test_rows],
        class_names=tuple(str(name) for name in order[: scenario.k]),
        scenario=scenario,
        seed=seed,
    )


def export_cell(cell: Cell, path: Path, max_text_bytes: int = MAX_TEXT_BYTES) -> None:
    """Write a cell as an .npz file that needs only numpy to read.

    `X`: training rows; `y`: their labels (-1: unlabeled); `y_true`: their classes (-1: outliers); `X_test`
    and `y_test`: the test set; `class_names`: names of the codes; `about`: scenario and seed as JSON.
    """
    about = asdict(cell.scenario) | {
        "seed": cell.seed,
        "about": " ".join((export_cell.__doc__ or "").split()),
    }
    content = io.BytesIO()
    np.savez_compressed(
        content,
        X=_to_array(cell.x[cell.rows], max_text_bytes),
        y=cell.labels,
        y_true=cell.truth,
        X_test=_to_array(cell.test_x[cell.test_rows], max_text_bytes),
        y_test=cell.test_truth,
        class_names=np.array(cell.class_names, dtype=str),
        about=np.array(json.dumps(about)),
    )
    write_whole(path, content.getvalue())


def _to_array(x: NDArray[Any] | Tokens, max_text_bytes: int) -> NDArray[Any]:
    """Rows as an array that numpy saves without pickle; texts take the space of the longest one each."""
    if isinstance(x, Tokens):
        return x.ids
    if x.dtype != object:
        return x
    longest = max(map(len, x), default=0)
    if 4 * longest * len(x) > max_text_bytes:
        raise ValueError(f"a text has {longest:,} characters, too many for an .npz file; shorten the texts")
    return x.astype(str)


def _codes(y: NDArray[Any], order: Sequence[Any]) -> NDArray[np.int64]:
    """The index of every label in `order`, -1 if it is not there."""
    code_of = {name: code for code, name in enumerate(order)}
    return np.array([code_of.get(label, -1) for label in np.asarray(y).tolist()], dtype=np.int64)


def _with_noise(labels: NDArray[np.int64], scenario: Scenario, rng: np.random.Generator) -> NDArray[np.int64]:
    """The labels with `scenario.wrong` of the given ones moved to another class, drawn uniformly."""
    given = rng.permutation(np.flatnonzero(labels != UNLABELED))
    shift = rng.integers(1, scenario.k, len(given))
    moved, labels = given[: scenario.wrong], labels.copy()
    labels[moved] = (labels[moved] + shift[: scenario.wrong]) % scenario.k
    return labels
