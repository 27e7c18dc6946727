"""Tables as named columns, none of them changed by a guess: what is a number in them, and what is not."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# What stands for nothing in a column of numbers of a text file.
_NOTHING = {"", "?", "-", "na", "n/a", "#n/a", "nan", "null", "none"}
_TRUTH = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """Columns of equal length: arrow's where the format has types or is text alone, else lists.

    `text`: every value is text, as in a csv, and a column is numeric if all its values read as numbers.
    """

    columns: dict[str, Any]
    text: bool

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def values(self, name: str) -> list[object]:
        """A column as the file has it."""
        column = self.columns[name]
        values: list[object] = column if isinstance(column, list) else column.to_pylist()
        return values

    def numbers(self, name: str) -> NDArray[np.float64] | None:
        """A column as numbers, NaN where it holds nothing; None where it is not numeric or holds nothing."""
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
    """Numbers and nothing else, at once; None where a closer look is needed."""
    if not set(map(type, column)) <= {int, float}:
        return None
    try:
        return np.array(column, dtype=np.float64)
    except OverflowError:  # an integer beyond all floats
        return None


def _of_arrow(column: Any, text: bool) -> NDArray[np.float64] | None:
    """A typed column of numbers, or text that reads as such throughout; None for all else."""
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
    """A value as a number, NaN where it is nothing, None where it is neither."""
    if isinstance(value, bool | int | float):
        try:
            return float(value)
        except OverflowError:
            return np.inf
    if text and isinstance(value, str):
        return _spelled_number(value.strip().lower())
    return np.nan if value is None else None


def _spelled_number(word: str) -> float | None:
    if word in _NOTHING:
        return np.nan
    if word in _TRUTH:
        return _TRUTH[word]
    try:
        return None if "_" in word else float(word)
    except ValueError:
        return None
