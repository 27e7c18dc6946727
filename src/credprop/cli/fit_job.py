"""The input of `credprop fit`: training data, test data, and how they were read."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from credprop.data import Source, read_source
from credprop.data.files.source import listed

_ANY_TIME = {"jobs"}  # parameters that may change when a run is continued


@dataclass(frozen=True, eq=False, kw_only=True)
class FitJob:
    """Training rows with their labels, optional test rows, and optional true labels for evaluation."""

    title: str
    kind: str
    x: np.ndarray  # vectors, images, or texts as objects
    y: list[Any]
    ids: Sequence[str]
    columns: Sequence[str] = ()
    test_x: np.ndarray | None = None
    test_y: np.ndarray | None = None
    truth: list[Any] | None = None
    gold: list[bool] | None = None
    groups: list[str] | None = None
    images: np.ndarray | None = None  # to show in the report, if the rows are vectors made from images
    origin: Mapping[str, Any]  # how to read data of this kind again
    notes: Sequence[str] = ()

    @classmethod
    def from_files(cls, data: Path, test: Path | None, **columns: Any) -> "FitJob":
        """The job for the files and columns named on the command line."""
        source = read_source(data, **columns)
        assert source.labels is not None
        notes = list(source.warnings)
        if source.left_out:
            notes.append(f"columns not used as features: {listed(source.left_out)}")
        test_x = test_y = None
        if test is not None:
            test_columns = columns | {
                "features": source.columns,
                "id_column": None,
                "part": "test",
                "gold": None,
                "group": None,
            }
            test_columns |= {} if is_table(test) else {"features": (), "image": None, "text": None}
            tested = read_source(test, **test_columns)
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
            gold=source.gold,
            groups=source.groups,
            origin={"path": str(data.resolve())}
            | columns
            | {"features": list(source.columns), "kind": source.kind},
            notes=notes,
        )

    @property
    def rows(self) -> Any:
        """The training rows, as a data frame if the features have names."""
        return with_names(self.x, self.columns)

    def fingerprint(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Data and parameters that must be unchanged to resume a run, by name."""
        return {
            "data": [list(self.x.shape), _hash(self.x), _hash_of_list(self.y)],
            "names of features": _hash_of_list(self.columns),
            "ids": _hash_of_list(self.ids),
            "gold labels": None if self.gold is None else _hash_of_list(self.gold),
            "groups": None if self.groups is None else _hash_of_list(self.groups),
            "test data": self._test_hash(),
            **{name.replace("_", " "): value for name, value in params.items() if name not in _ANY_TIME},
        }

    def _test_hash(self) -> list[str] | None:
        if self.test_x is None or self.test_y is None:
            return None
        return [_hash(self.test_x), _hash_of_list(self.test_y.tolist())]


def is_table(path: Path) -> bool:
    """Whether the file is a table, rather than an .npz file or a folder of images."""
    return not path.is_dir() and path.suffix.lower() != ".npz"


def with_names(x: np.ndarray, columns: Sequence[str]) -> Any:
    """Vectors as a data frame if their features have names, else unchanged."""
    import pandas as pd

    return pd.DataFrame(x, columns=list(columns)) if columns else x


def describe_shape(shape: Sequence[int]) -> str:
    """What rows of this shape are, such as `vectors of 4 features`."""
    if not shape:
        return "texts"
    return (
        f"vectors of {shape[0]} features" if len(shape) == 1 else f"images of {' x '.join(map(str, shape))}"
    )


def _labeled_rows(path: Path, test: Source, train: Source) -> tuple[np.ndarray, np.ndarray]:
    """The labeled rows of the test data and their labels; every class must occur in the training data."""
    assert test.labels is not None
    assert train.labels is not None
    if test.kind != train.kind or test.x.shape[1:] != train.x.shape[1:]:
        found, wanted = (describe_shape(source.x.shape[1:]) for source in (test, train))
        raise ValueError(
            f"{path} holds {found}, but the training data holds {wanted}; use test rows of the same kind"
        )
    rows = [i for i, label in enumerate(test.labels) if label is not None]
    if not rows:
        raise ValueError(f"{path} has no labeled row to test on; label some rows, or leave out --test")
    # Compared as text: labels are parsed as numbers in a file in which all of them are numeric.
    classes = {str(label): label for label in train.labels if label is not None}
    if unknown := {str(test.labels[i]) for i in rows} - set(classes):
        raise ValueError(
            f"{path} has the class {min(unknown)!r}, which no training row has; remove these rows"
        )
    return test.x[rows], np.array([classes[str(test.labels[i])] for i in rows], dtype=object)


def _hash(values: np.ndarray) -> str:
    if values.dtype == object:  # texts
        return _hash_of_list(values.tolist())
    return hashlib.sha256(np.ascontiguousarray(values).ravel().data).hexdigest()


def _hash_of_list(values: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(list(values)).encode()).hexdigest()
