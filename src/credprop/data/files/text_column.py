"""The column of texts of a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credprop.data.check_texts import check_texts
from credprop.data.files.source import file_error
from credprop.data.files.table import Table
from credprop.data.missing import is_missing

_SAMPLE = 1_000  # values that decide whether a column looks like text
_WORDS, _CHARACTERS = 3, 40  # more than a name or code has; some scripts have no spaces


def read_texts(path: Path, table: Table, column: str) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The texts of a column (n,), "" where missing or blank, and warnings about them."""
    values = _values(path, table, column)
    spelled = [_spelled(path, value, column, row) for row, value in enumerate(values, start=1)]
    warnings: list[str] = []
    try:
        texts = check_texts(spelled, where=f"column {column!r}, ", first=1, note=warnings.append)
    except ValueError as error:
        raise file_error(path, str(error)) from error
    if not any(texts):
        raise file_error(
            path, f"column {column!r} holds no text in any row; name the column of texts with --text"
        )
    x = np.empty(len(texts), dtype=object)
    x[:] = texts
    return x, tuple(warnings)


def looks_like_text(values: Sequence[object]) -> bool:
    """Whether most values are sentences rather than names, codes or missing."""
    seen = values[:_SAMPLE]
    long = [v for v in seen if isinstance(v, str) and (len(v.split()) >= _WORDS or len(v) > _CHARACTERS)]
    return 2 * len(long) > len(seen)


def _values(path: Path, table: Table, column: str) -> list[object]:
    try:
        return table.values(column)
    except UnicodeDecodeError as error:  # a parquet file may declare bytes as text
        row = next(i for i, value in enumerate(table.columns[column], start=1) if not _is_utf8(value))
        raise file_error(
            path, f"column {column!r}, row {row} is not UTF-8; write it again as UTF-8"
        ) from error


def _is_utf8(scalar: Any) -> bool:
    try:
        scalar.as_py()
    except UnicodeDecodeError:
        return False
    return True


def _spelled(path: Path, value: object, column: str, row: int) -> object:
    """A number, date or the like as text; missing values and collections as they are."""
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError as error:
            raise file_error(
                path, f"column {column!r}, row {row} is not UTF-8; write it again as UTF-8"
            ) from error
    return value if isinstance(value, list | tuple | dict) or is_missing(value) else str(value)
