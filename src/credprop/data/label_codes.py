"""Labels as codes 0..k-1, and the classes that the codes stand for."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from credprop.data.dataset import UNLABELED
from credprop.data.missing import is_missing


@dataclass(frozen=True, eq=False)
class LabelCodes:
    """The classes in order, and for every row the index of its class, -1 where unlabeled."""

    classes: np.ndarray
    codes: np.ndarray


def encode_labels(y: Any, unlabeled_label: Any = UNLABELED) -> LabelCodes:
    """Codes of labels of any one type; None, NaN, "" and `unlabeled_label` mark unlabeled rows."""
    labels = _as_array(y)
    missing = _missing(labels)
    _check_types(labels, missing)
    if not isinstance(unlabeled_label, float) or not np.isnan(unlabeled_label):
        marked = np.asarray(labels == unlabeled_label, dtype=bool) & ~missing
        values = set(labels[~missing].tolist())
        if unlabeled_label == UNLABELED and values == {-1, 1}:
            raise ValueError(
                "the labels are -1 and 1, and -1 marks unlabeled rows; if -1 is a class, choose another "
                "marker with unlabeled_label (None: only None, NaN and empty text)"
            )
        missing = missing | marked
    given = labels[~missing]
    if not len(given):
        raise ValueError("no row has a label; label some rows of every class")
    classes, places = np.unique(given.astype(_plain_type(given)), return_inverse=True)
    if len(classes) < 2:
        raise ValueError(f"all labels are of one class, {classes[0]!r}; at least two classes are needed")
    codes = np.full(len(labels), UNLABELED, dtype=np.int64)
    codes[~missing] = places
    return LabelCodes(classes, codes)


def _as_array(y: Any) -> np.ndarray:
    """Labels as an array, without converting other types to text."""
    if isinstance(y, np.ndarray):
        return y
    if hasattr(y, "to_numpy"):  # a pandas column; its extension types become plain objects
        plain = y.dtype.kind in "iufb" and not hasattr(y.dtype, "na_value")
        return np.asarray(y.to_numpy() if plain else y.to_numpy(dtype=object, na_value=None))
    if hasattr(y, "__array__"):
        return np.asarray(y)
    array = np.empty(len(y), dtype=object)  # of a list, not np.asarray: that would turn NaN into text
    for i, label in enumerate(y):
        array[i] = label
    return array


def _missing(labels: np.ndarray) -> np.ndarray:
    """Which labels are None, NaN or empty text."""
    if labels.dtype.kind == "f":
        return np.asarray(np.isnan(labels))
    if labels.dtype.kind in "OUS":
        return np.array([_is_missing(label) for label in labels.tolist()], dtype=bool)
    return np.zeros(len(labels), dtype=bool)


def _is_missing(label: Any) -> bool:
    return is_missing(label) or (isinstance(label, str | bytes) and not label)


def _check_types(labels: np.ndarray, missing: np.ndarray) -> None:
    """Labels are all text or all numbers, and finite."""
    rows = np.flatnonzero(~missing)
    if labels.dtype.kind == "f" and np.isinf(labels[rows]).any():
        row = rows[np.isinf(labels[rows])][0]
        raise ValueError(
            f"Input y contains infinity, in row {row}; give a class or mark the row as unlabeled"
        )
    if labels.dtype.kind != "O":
        return
    kinds: dict[str, int] = {}
    for row in rows.tolist():
        kinds.setdefault(_kind(labels[row], row), row)
    if len(kinds) > 1:
        (one, first), (other, second) = list(kinds.items())[:2]
        raise ValueError(
            f"labels mix {one} ({labels[first]!r} in row {first}) and {other} ({labels[second]!r} in row "
            f"{second}); make them all text or all numbers"
        )


def _kind(label: Any, row: int) -> str:
    for kind, types in (("text", str | bytes), ("booleans", bool | np.bool_), ("numbers", _NUMBER)):
        if isinstance(label, types):
            return kind
    raise ValueError(f"the label in row {row} is a {type(label).__name__}; give text or numbers")


_NUMBER = int | float | np.integer | np.floating


def _plain_type(given: np.ndarray) -> Any:
    """The dtype of an array for labels given as objects."""
    if given.dtype.kind != "O":
        return given.dtype
    if isinstance(given[0], str | bytes):
        return object
    return np.array(given.tolist()).dtype
