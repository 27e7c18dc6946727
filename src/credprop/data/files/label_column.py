"""Labels as people write them: which rows have none, and of what kind the others are."""

import re
import reprlib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from credprop.data.files.source import wrong

_WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.0*)?")  # "1", "-1", "1.0"; "007" is a name
_MINUS_ONE = {"-1", "-1.0"}


def read_labels(
    path: Path, values: Sequence[object], *, where: str, text: bool, unlabeled: str | None
) -> list[object]:
    """One label a row, all of one kind, None where a row is unlabeled.

    Nothing, NaN, "" and the text "nan" are unlabeled; so is `unlabeled` where it is given, else -1. Of a file
    that holds `text` alone, spaces around a label do not count and labels that are whole numbers become int.
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
    """A value as str, int, float or bool; None where it says nothing."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError as error:
            raise wrong(path, f"{where}, row {row} is not UTF-8; save labels as text") from error
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, str):
        value = value.strip() if text else value
        return None if value.strip() in ("", "nan", "NaN") else value
    if isinstance(value, float) and value != value:  # noqa: PLR0124 (NaN)
        return None
    if value is None or isinstance(value, bool | int | float):
        return value
    kind = type(value).__name__
    raise wrong(path, f"{where}, row {row} holds a {kind}; give labels as text or as numbers")


def _whole(labels: list[object], text: bool) -> list[object]:
    """Labels as int where all of them are whole numbers, in `text` by their spelling."""
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
    """Labels without the customary mark of unlabeled rows, unless it could be one of two classes."""
    spelled = {str(label) for label in labels if label is not None}
    if spelled & _MINUS_ONE and spelled - _MINUS_ONE in ({"1"}, {"1.0"}):
        raise wrong(
            path,
            f"{where} holds 1 and -1 alone and -1 looks like a class; name the marker of unlabeled rows"
            " with --unlabeled (--unlabeled '' where they are empty)",
        )
    return [None if str(label) in _MINUS_ONE else label for label in labels]


def _check_one_kind(path: Path, labels: list[object], where: str) -> None:
    first: dict[str, int] = {}
    for i, label in enumerate(labels):
        if label is not None:
            kind = {bool: "a truth value", str: "text"}.get(type(label), "a number")
            first.setdefault(kind, i)
    if len(first) > 1:
        (one, i), (other, j) = list(first.items())[:2]
        raise wrong(
            path,
            f"{where} mixes kinds: row {i + 1} is {one} ({reprlib.repr(labels[i])}),"
            f" row {j + 1} is {other} ({reprlib.repr(labels[j])}); write all labels the same way",
        )
