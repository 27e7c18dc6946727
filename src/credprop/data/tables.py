"""Tables: csv, tsv, jsonl and parquet files as named columns, none of them changed by a guess."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credprop.data.source import reason, unreadable, wrong

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


def read_table(path: Path, ending: str) -> Table:
    """The table in a file that ends in `ending`, with at least one column and one row."""
    readers: dict[str, Callable[[Path], Table]] = {
        ".csv": lambda path: _read_separated(path, ","),
        ".tsv": lambda path: _read_separated(path, "\t"),
        ".jsonl": _read_jsonl,
        ".parquet": _read_parquet,
    }
    table = readers[ending.removesuffix(".gz")](path)
    if not len(table):
        raise wrong(path, "holds no rows; give at least one row of data")
    return table


def _read_bytes(path: Path) -> bytes:
    """A text file's bytes, unpacked, known to be UTF-8."""
    with unreadable(path):
        data = path.read_bytes()
    if path.suffix.lower() == ".gz" and data:
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error) as error:
            raise wrong(path, f"is a damaged gzip file ({reason(error)}); copy or pack it again") from error
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise wrong(path, "is UTF-16; save it as UTF-8")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise wrong(path, f"is not UTF-8 (line {line}, byte {error.start}); save it as UTF-8") from error
    if b"\0" in data:
        raise wrong(path, "holds zero bytes and is no text file; save it as UTF-8 text")
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        raise wrong(path, "is empty; give at least one row of data")
    return data


def _check_names(path: Path, names: Sequence[str]) -> None:
    for j, name in enumerate(names):
        if name in names[:j]:
            first = names.index(name) + 1
            called = f"are both called {name!r}" if name else "have no name"
            raise wrong(path, f"columns {first} and {j + 1} {called}; give every column its own name")


def _read_separated(path: Path, separator: str) -> Table:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    data = _read_bytes(path)
    names = _header(path, data, separator)
    bad: list[Any] = []

    def remember(row: Any) -> str:
        bad.append(row)
        return "error"

    try:
        table = arrow_csv.read_csv(
            io.BytesIO(data),
            # One thread, so that a bad row has a number; one block, so that no row is cut in two.
            arrow_csv.ReadOptions(
                use_threads=False, block_size=min(max(len(data), 1 << 20), 1 << 30), column_names=names
            ),
            arrow_csv.ParseOptions(
                delimiter=separator, newlines_in_values=True, invalid_row_handler=remember
            ),
            arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        ).slice(1)  # the header is the first row
    except pa.ArrowException as error:
        if not bad:
            raise wrong(path, f"cannot be read as a table: {reason(error)}; save it anew") from error
        fields, row = bad[0].actual_columns, bad[0].number - 1
        raise wrong(
            path, f"row {row} has {fields} fields, the header {len(names)}; mend the row or put it in quotes"
        ) from error
    _check_quotes(path, data, table)
    return Table(columns=dict(zip(names, table.columns, strict=True)), text=True)


def _header(path: Path, data: bytes, separator: str) -> list[str]:
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")
    try:
        names = next(row for row in csv.reader(lines, delimiter=separator) if row)
    except csv.Error as error:
        raise wrong(path, f"has a header that cannot be read ({reason(error)}); save it anew") from error
    if len(names) == 1 and (other := next((s for s in ";\t|," if s in names[0]), None)):
        raise wrong(path, f"separates its columns by {other!r}; separate them by {separator!r}")
    _check_names(path, names)
    return names


def _check_quotes(path: Path, data: bytes, table: Any) -> None:
    """A quote that is opened and never closed swallows the rest of a file."""
    if not len(table) or data.count(b'"') % 2 == 0:
        return
    last = table.slice(len(table) - 1).to_pylist()[0]
    if any("\n" in value for value in last.values()):
        raise wrong(path, f"row {len(table)} opens a quote and never closes it; close it, or double it")


def _read_jsonl(path: Path) -> Table:
    rows: list[dict[str, object]] = []
    for number, line in enumerate(_read_bytes(path).decode("utf-8-sig").split("\n"), start=1):
        if line.strip():
            rows.append(_json_row(path, number, line))
    names = dict.fromkeys(name for row in rows for name in row)
    return Table(columns={name: [row.get(name) for row in rows] for name in names}, text=False)


def _json_row(path: Path, number: int, line: str) -> dict[str, object]:
    at = Path(f"{path}:{number}")
    try:
        row = json.loads(line, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        said = f"{error.msg}, character {error.colno}" if isinstance(error, json.JSONDecodeError) else error
        raise wrong(at, f"is not a JSON object ({said}); write one object {{...}} a line") from error
    if not isinstance(row, dict):
        raise wrong(at, f"holds a {type(row).__name__}; write one object {{...}} a line")
    return row


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {twice!r} stands there twice")
    return row


def _read_parquet(path: Path) -> Table:
    import pyarrow as pa
    from pyarrow import parquet

    with unreadable(path), path.open("rb") as file:
        if not file.read(1):
            raise wrong(path, "is empty; write the table again")
        try:
            table = parquet.ParquetFile(file).read()
        except (pa.ArrowException, ValueError, OSError) as error:
            raise wrong(
                path, f"is no parquet file or a damaged one ({reason(error)}); write it again"
            ) from error
    _check_names(path, table.column_names)
    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    if not columns:
        raise wrong(path, "has no columns; write the table again")
    return Table(columns=dict(zip(table.column_names, columns, strict=True)), text=False)


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
