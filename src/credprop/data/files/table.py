"""Tables as named columns, and which of them are numeric."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# What marks a missing value in a numeric column of a text file.
_MISSING = {"", "?", "-", "na", "n/a", "#n/a", "nan", "null", "none"}
_BOOLEANS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """Columns of equal length: Arrow's, or lists where the format is jsonl.

    `text`: every value is text, as in a csv, and a column is numeric if all its values can be parsed.
    """

    columns: dict[str, Any]
    text: bool

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def values(self, name: str) -> list[object]:
        """A column as it is in the file."""
        column = self.columns[name]
        values: list[object] = column if isinstance(column, list) else column.to_pylist()
        return values

    def numbers(self, name: str) -> NDArray[np.float64] | None:
        """A column as numbers, NaN where missing; None where it is not numeric or all is missing."""
        column = self.columns[name]
        fast = _of_list(column) if isinstance(column, list) else _of_arrow(column, self.text)
        if fast is None and not self._can_be_parsed(column):
            return None
        numbers = fast if fast is not None else self._parsed(name)
        return None if numbers is None or np.isnan(numbers).all() else numbers

    def first_not_numeric(self, name: str) -> int | None:
        """The first row of a column that is not a number, counted from 0; None where there is none."""
        values = enumerate(self.values(name))
        return next((i for i, value in values if _number(value, self.text) is None), None)

    def _can_be_parsed(self, column: Any) -> bool:
        return self.text or isinstance(column, list)

    def _parsed(self, name: str) -> NDArray[np.float64] | None:
        numbers = []
        for value in self.values(name):
            number = _number(value, self.text)
            if number is None:
                return None
            numbers.append(number)
        return np.array(numbers)


def _of_list(column: list[object]) -> NDArray[np.float64] | None:
    """A column of numbers only; None where values must be parsed one by one."""
    if not set(map(type, column)) <= {int, float}:
        return None
    try:
        return np.array(column, dtype=np.float64)
    except OverflowError:  # an integer beyond all floats
        return None


def _of_arrow(column: Any, text: bool) -> NDArray[np.float64] | None:
    """A typed column of numbers, or text that is numeric throughout; None for all else."""
    import pyarrow as pa
    from pyarrow import compute

    kind = column.type
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    elif not (text or pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        return None
    elif text and column[0].as_py().startswith(" "):
        column = compute.utf8_trim_whitespace(column)
    try:
        numbers: NDArray[np.float64] = column.cast(pa.float64(), safe=False).to_numpy()
    except pa.ArrowInvalid:
        return None
    return numbers


def _number(value: object, text: bool) -> float | None:
    """A value as a number, NaN where missing, None where it is neither."""
    if isinstance(value, bool | int | float):
        try:
            return float(value)
        except OverflowError:
            return np.inf
    if text and isinstance(value, str):
        return _spelled_number(value.strip().lower())
    return np.nan if value is None else None


def _spelled_number(word: str) -> float | None:
    if word in _MISSING:
        return np.nan
    if word in _BOOLEANS:
        return _BOOLEANS[word]
    try:
        return None if "_" in word else float(word)
    except ValueError:
        return None
