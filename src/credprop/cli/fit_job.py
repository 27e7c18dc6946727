"""What to learn from, as the user names it on the command line."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from credprop.data import Source, read_source
from credprop.data.files.source import listed


@dataclass(frozen=True, eq=False, kw_only=True)
class Job:
    """What to learn from, what to test on, and what is known for measuring."""

    title: str
    kind: str
    x: np.ndarray  # vectors, images, or texts as objects
    y: list[Any]
    ids: Sequence[str]
    columns: Sequence[str] = ()
    test_x: np.ndarray | None = None
    test_y: np.ndarray | None = None
    truth: list[Any] | None = None
    pictures: np.ndarray | None = None  # of the rows, where they are not the rows themselves
    origin: Mapping[str, Any]  # how to read such data again
    notes: Sequence[str] = ()

    @classmethod
    def from_files(cls, data: Path, test: Path | None, **columns: Any) -> "Job":
        """A job as the user names it on the command line."""
        source = read_source(data, **columns)
        assert source.labels is not None
        notes = list(source.warnings)
        if source.left_out:
            notes.append(f"columns that are no features: {listed(source.left_out)}")
        test_x = test_y = None
        if test is not None:
            again = columns | {"features": source.columns, "id_column": None, "part": "test"}
            again |= {} if is_table(test) else {"features": (), "image": None, "text": None}
            tested = read_source(test, **again)
            notes += [f"{test.name}: {warning}" for warning in tested.warnings]
            test_x, test_y = _labeled_rows(test, tested, source)
        return cls(
            title=data.name,
            kind=source.kind,
            x=source.x,
            y=source.labels,
            ids=source.ids,
            columns=source.columns,
            test_x=test_x,
            test_y=test_y,
            origin={"path": str(data.resolve())}
            | columns
            | {"features": list(source.columns), "kind": source.kind},
            notes=notes,
        )

    @property
    def rows(self) -> Any:
        """The rows with the names of their features, where they have any."""
        return with_names(self.x, self.columns)

    def fingerprint(self, choices: Mapping[str, Any]) -> dict[str, Any]:
        """What must be the same for a run to go on, by name."""
        return {
            "data": [list(self.x.shape), _hash(self.x), _hash_of_list(self.y)],
            "names of features": _hash_of_list(self.columns),
            "ids": _hash_of_list(self.ids),
            "test data": self._test_hash(),
            **{name.replace("_", " "): value for name, value in choices.items()},
        }

    def _test_hash(self) -> list[str] | None:
        if self.test_x is None or self.test_y is None:
            return None
        return [_hash(self.test_x), _hash_of_list(self.test_y.tolist())]


def is_table(path: Path) -> bool:
    """Whether its columns have names, other than those of an .npz or a folder of images."""
    return not path.is_dir() and path.suffix.lower() != ".npz"


def with_names(x: np.ndarray, columns: Sequence[str]) -> Any:
    """Vectors as a frame if their features have names, else as they are."""
    import pandas as pd

    return pd.DataFrame(x, columns=list(columns)) if columns else x


def in_words(shape: Sequence[int]) -> str:
    """What rows of this shape are."""
    if not shape:
        return "texts"
    return (
        f"vectors of {shape[0]} features" if len(shape) == 1 else f"images of {' x '.join(map(str, shape))}"
    )


def _labeled_rows(path: Path, test: Source, train: Source) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the test data that have a label, and their labels, which training must know."""
    assert test.labels is not None
    assert train.labels is not None
    if test.kind != train.kind or test.x.shape[1:] != train.x.shape[1:]:
        found, wanted = (in_words(source.x.shape[1:]) for source in (test, train))
        raise ValueError(f"{path} holds {found}, the data {wanted}; give test rows like those to learn from")
    rows = [i for i, label in enumerate(test.labels) if label is not None]
    if not rows:
        raise ValueError(f"{path} holds no labeled row to test on; leave --test out, or label some")
    # By their spelling: a file that happens to hold numbers only would have other labels than one with words.
    known = {str(label): label for label in train.labels if label is not None}
    if unknown := {str(test.labels[i]) for i in rows} - set(known):
        raise ValueError(
            f"{path} holds the class {min(unknown)!r}, which no row to learn from has; leave it out"
        )
    return test.x[rows], np.array([known[str(test.labels[i])] for i in rows], dtype=object)


def _hash(values: np.ndarray) -> str:
    if values.dtype == object:  # texts, by their content
        return _hash_of_list(values.tolist())
    return hashlib.sha256(np.ascontiguousarray(values).ravel().data).hexdigest()


def _hash_of_list(values: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(list(values)).encode()).hexdigest()
