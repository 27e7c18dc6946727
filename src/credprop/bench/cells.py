"""A cell: the rows of a data set in one scenario, drawn from a seed, the same for every method."""

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

STRANGER = -1
_MOST_BYTES = 4 << 30  # of texts in an .npz, before it is packed
_WHOLE = re.compile(r"[+-]?[0-9]+")


@dataclass(frozen=True, eq=False, kw_only=True)
class Cell:
    """Rows of a data set, by index, with the labels a method is given and the truth it is measured by.

    `labels` are codes of ID classes, -1 where unlabeled; `truth` are codes, -1 for strangers. The test rows
    are of ID classes only.
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
        """How many ID classes there are."""
        return len(self.class_names)

    def data(self) -> PartlyLabeled:
        """What a method learns from."""
        labels, truth = torch.from_numpy(self.labels), torch.from_numpy(self.truth)
        return PartlyLabeled(x=self.x[self.rows], labels=labels, k=self.k, truth=truth)


def class_order(y: Sequence[Any] | NDArray[Any]) -> list[Any]:
    """The classes by value; if all are integers, also as text, by number."""
    classes = set(np.asarray(y).tolist())
    if all(isinstance(name, str) and _WHOLE.fullmatch(name) for name in classes):
        return sorted(classes, key=lambda name: (int(name), name))
    return sorted(classes)


def class_counts(y: Sequence[Any] | NDArray[Any]) -> list[int]:
    """How many rows each class has, in the order of the classes."""
    codes = _codes(np.asarray(y), order := class_order(y))
    counts: list[int] = np.bincount(codes, minlength=len(order)).tolist()
    return counts


def make_cell(
    x: Any,
    y: NDArray[Any],
    test_x: Any,
    test_y: NDArray[Any],
    scenario: Scenario,
    seed: int,
) -> Cell:
    """The cell of this scenario and seed. With the same seed, cells share as many rows and labels as can be.

    The rows of each class are put in an order that hangs on the seed alone: labels are given from its front,
    unlabeled rows are taken from its end.
    """
    order = class_order(y)
    if len(order) != len(scenario.labels):
        raise ValueError(f"the scenario is for {len(scenario.labels)} classes, the data has {len(order)}")
    codes = _codes(y, order)
    truth = np.where(codes < scenario.k, codes, STRANGER)
    labels = np.full(len(y), UNLABELED)
    used = np.zeros(len(y), dtype=bool)
    for c, (labeled, unlabeled) in enumerate(zip(scenario.labels, scenario.unlabeled, strict=True)):
        members = np.flatnonzero(codes == c)
        if labeled + unlabeled > len(members):
            raise ValueError(f"the scenario takes {labeled + unlabeled} rows of a class of {len(members)}")
        members = np.random.default_rng([seed, 0, c]).permutation(members)
        labels[members[:labeled]] = c
        used[members[:labeled]] = used[members[len(members) - unlabeled :]] = True
    labels = _with_wrong(labels, scenario, np.random.default_rng([seed, 1]))
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


def export_cell(cell: Cell, path: Path) -> None:
    """Write a cell as an .npz that numpy alone can read.

    `X` the training rows, `y` their labels (-1 unlabeled), `y_true` their classes (-1 strangers),
    `X_test` and `y_test` the test set, `class_names` what the codes stand for, `about` the scenario and seed
    as JSON.
    """
    about = asdict(cell.scenario) | {
        "seed": cell.seed,
        "about": " ".join((export_cell.__doc__ or "").split()),
    }
    content = io.BytesIO()
    np.savez_compressed(
        content,
        X=_as_plain(cell.x[cell.rows]),
        y=cell.labels,
        y_true=cell.truth,
        X_test=_as_plain(cell.test_x[cell.test_rows]),
        y_test=cell.test_truth,
        class_names=np.array(cell.class_names, dtype=str),
        about=np.array(json.dumps(about)),
    )
    write_whole(path, content.getvalue())


def _as_plain(x: NDArray[Any] | Tokens) -> NDArray[Any]:
    """Rows as numpy keeps them without pickle: texts as an array that gives each the room of the longest."""
    if isinstance(x, Tokens):
        return x.ids
    if x.dtype != object:
        return x
    longest = max(map(len, x), default=0)
    if 4 * longest * len(x) > _MOST_BYTES:
        raise ValueError(f"a text of {longest:,} characters is too long for an .npz of all; cut texts first")
    return x.astype(str)


def _codes(y: NDArray[Any], order: Sequence[Any]) -> NDArray[np.int64]:
    """The place of every label in `order`, -1 where it has none."""
    place = {name: code for code, name in enumerate(order)}
    return np.array([place.get(label, -1) for label in np.asarray(y).tolist()], dtype=np.int64)


def _with_wrong(labels: NDArray[np.int64], scenario: Scenario, rng: np.random.Generator) -> NDArray[np.int64]:
    """The labels, `wrong` of the given ones moved to another class, each other class as likely."""
    given = rng.permutation(np.flatnonzero(labels != UNLABELED))
    shift = rng.integers(1, scenario.k, len(given))
    moved, labels = given[: scenario.wrong], labels.copy()
    labels[moved] = (labels[moved] + shift[: scenario.wrong]) % scenario.k
    return labels
