"""A column of texts: every value as text, what is empty known, what cannot be text refused."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credprop.data.files.source import wrong
from credprop.data.files.table import Table
from credprop.data.tokenizer import well_formed

_SAMPLE = 1_000  # values that are looked at to see whether a column holds texts
_WORDS, _CHARACTERS = 3, 40  # more than a name or a code has; some scripts put no space between words


def read_texts(path: Path, table: Table, column: str) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The texts of a column (n,) as they are, "" where there is none, and what should be known of them."""
    values = _values(path, table, column)
    texts = [_text(path, value, column, row) for row, value in enumerate(values, start=1)]
    empty = [row for row, text in enumerate(texts, start=1) if not text]
    if len(empty) == len(texts):
        raise wrong(path, f"column {column!r} holds no text in any row; name the column of texts with --text")
    whole = [well_formed(text) for text in texts]
    halves = [row for row, (text, old) in enumerate(zip(whole, texts, strict=True), start=1) if text != old]
    x = np.empty(len(whole), dtype=object)
    x[:] = whole
    warnings = [
        _rows_like(column, "is empty and read as empty text", empty),
        _rows_like(column, "holds half a character, read as \N{REPLACEMENT CHARACTER}", halves),
    ]
    return x, tuple(filter(None, warnings))


def looks_like_text(values: Sequence[object]) -> bool:
    """Whether most values are sentences rather than names, codes or nothing."""
    seen = values[:_SAMPLE]
    long = [v for v in seen if isinstance(v, str) and (len(v.split()) >= _WORDS or len(v) > _CHARACTERS)]
    return 2 * len(long) > len(seen)


def _values(path: Path, table: Table, column: str) -> list[object]:
    try:
        return table.values(column)
    except UnicodeDecodeError as error:  # a parquet file may call text what is none
        row = next(i for i, value in enumerate(table.columns[column], start=1) if not _is_utf8(value))
        raise wrong(path, f"column {column!r}, row {row} is not UTF-8; write it again as UTF-8") from error


def _is_utf8(scalar: Any) -> bool:
    try:
        scalar.as_py()
    except UnicodeDecodeError:
        return False
    return True


def _text(path: Path, value: object, column: str, row: int) -> str:
    """A value as text, "" where it is nothing or blank."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError as error:
            raise wrong(
                path, f"column {column!r}, row {row} is not UTF-8; write it again as UTF-8"
            ) from error
    if isinstance(value, list | tuple | dict):
        kind = type(value).__name__
        raise wrong(path, f"column {column!r}, row {row} holds a {kind}, not text; make it one text a row")
    if value is None or value != value:  # noqa: PLR0124 (NaN)
        return ""
    text = str(value)
    return text if text.strip() else ""


def _rows_like(column: str, what: str, rows: Sequence[int]) -> str:
    return f"column {column!r}, row {rows[0]} {what} (rows like it: {len(rows)})" if rows else ""
