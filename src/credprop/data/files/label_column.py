"""The labels of a file: which rows are unlabeled, and the type of the others."""

import re
import reprlib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from credprop.data.files.source import file_error
from credprop.data.missing import is_missing

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")  # "1", "-1", "1.0"; "007" is a name
_MINUS_ONE = {"-1", "-1.0"}


def read_labels(
    path: Path, values: Sequence[object], *, where: str, text: bool, unlabeled: str | None
) -> list[object]:
    """One label per row, all of one type, None where a row is unlabeled.

    Missing values, NaN, "" and the text "nan" are unlabeled; so is `unlabeled` where it is given, else -1. In
    a file that is all `text`, spaces around a label are ignored and whole numbers become int.
    """
    labels = [_plain(path, value, where, row, text) for row, value in enumerate(values, start=1)]
    if unlabeled is None:
        labels = _without_minus_one(path, _whole(labels, text), where)
    else:
        mark = unlabeled.strip() if text else unlabeled
        labels = _without(_whole(_without(labels, mark), text), mark)
    _check_one_kind(path, labels, where)
    return labels


def _plain(path: Path, value: object, where: str, row: int, text: bool) -> object:
    """A value as str, int, float or bool; None where it is missing."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError as error:
            raise file_error(path, f"{where}, row {row} is not UTF-8; save labels as text") from error
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, str):
        value = value.strip() if text else value
        return None if value.strip() in ("", "nan", "NaN") else value
    if is_missing(value):
        return None
    if isinstance(value, bool | int | float):
        return value
    kind = type(value).__name__
    raise file_error(path, f"{where}, row {row} holds a {kind}; give labels as text or as numbers")


def _whole(labels: list[object], text: bool) -> list[object]:
    """Labels as int where all of them are whole numbers, in a `text` file by their spelling."""
    given = [label for label in labels if label is not None]
    if text:
        if not all(_WHOLE.fullmatch(str(label)) for label in given):
            return labels
        return [None if label is None else int(str(label).split(".")[0]) for label in labels]
    if {type(label) for label in given} <= {int, float}:
        fractions = [label for label in given if isinstance(label, float) and not label.is_integer()]
        number = float if fractions else int
        return [number(label) if isinstance(label, int | float) else None for label in labels]
    return labels


def _without(labels: list[object], mark: str) -> list[object]:
    return [None if label is None or str(label) == mark else label for label in labels]


def _without_minus_one(path: Path, labels: list[object], where: str) -> list[object]:
    """Labels without -1, the usual mark of unlabeled rows, unless it could be one of two classes."""
    spelled = {str(label) for label in labels if label is not None}
    if spelled & _MINUS_ONE and spelled - _MINUS_ONE in ({"1"}, {"1.0"}):
        raise file_error(
            path,
            f"{where} holds only 1 and -1, and -1 looks like a class; set the marker of unlabeled rows"
            " with --unlabeled (--unlabeled '' where they are empty)",
        )
    return [None if str(label) in _MINUS_ONE else label for label in labels]


def _check_one_kind(path: Path, labels: list[object], where: str) -> None:
    first: dict[str, int] = {}
    for i, label in enumerate(labels):
        if label is not None:
            kind = {bool: "a boolean", str: "text"}.get(type(label), "a number")
            first.setdefault(kind, i)
    if len(first) > 1:
        (one, i), (other, j) = list(first.items())[:2]
        raise file_error(
            path,
            f"{where} mixes types: row {i + 1} is {one} ({reprlib.repr(labels[i])}),"
            f" row {j + 1} is {other} ({reprlib.repr(labels[j])}); write all labels the same way",
        )
