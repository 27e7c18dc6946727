"""Readers of the table formats: csv, tsv, jsonl and parquet."""

import csv
import gzip
import io
import json
import zlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from credprop.data.files.source import file_error, reading, reason
from credprop.data.files.table import Table

RowOf = Callable[[bytes], int]  # the row of a table in which its first bytes end; 0 is the header


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
        raise file_error(path, "has no rows; give at least one row of data")
    return table


def _read_bytes(path: Path, row_of: RowOf) -> bytes:
    """The uncompressed content of a text file, checked to be UTF-8."""
    with reading(path):
        data = path.read_bytes()
    if path.suffix.lower() == ".gz" and data:
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error) as error:
            raise file_error(
                path, f"is a damaged gzip file ({reason(error)}); copy or compress it again"
            ) from error
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise file_error(path, "is UTF-16; save it as UTF-8")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        place = _place(data[: error.start], row_of)
        raise file_error(path, f"is not UTF-8 ({place}); save it as UTF-8") from error
    if b"\0" in data:
        place = _place(data[: data.index(b"\0")], row_of)
        raise file_error(path, f"holds null bytes ({place}) and is not a text file; save it as UTF-8 text")
    if not data.removeprefix(b"\xef\xbb\xbf").strip():
        raise file_error(path, "is empty; give at least one row of data")
    return data


def _place(before: bytes, row_of: RowOf) -> str:
    """The position of a byte in words; rows and lines differ where texts contain line breaks."""
    row = row_of(before + b"?")
    line = before.count(b"\n") + 1
    return f"{f'row {row}' if row else 'the header'}, line {line}, byte {len(before)}"


def _check_names(path: Path, names: Sequence[str]) -> None:
    for j, name in enumerate(names):
        if name in names[:j]:
            first = names.index(name) + 1
            called = f"are both called {name!r}" if name else "have no name"
            raise file_error(path, f"columns {first} and {j + 1} {called}; give every column its own name")


def _read_separated(path: Path, separator: str) -> Table:
    import pyarrow as pa

    data = _read_bytes(path, partial(_last_row, path, separator))
    names = _header(path, data, separator)
    bad: list[Any] = []

    def refuse(row: Any) -> str:
        bad.append(row)
        return "error"

    try:
        table = _parse(data, names, separator, refuse).slice(1)  # the header is the first row
    except pa.ArrowException as error:
        if not bad:
            raise file_error(path, f"cannot be read as a table: {reason(error)}; save it again") from error
        fields, row = bad[0].actual_columns, bad[0].number - 1
        raise file_error(
            path,
            f"row {row} has {fields} fields, the header {len(names)}; fix the row, or quote values that "
            f"contain {separator!r}",
        ) from error
    _check_quotes(path, data, table)
    return Table(columns=dict(zip(names, table.columns, strict=True)), text=True)


def _parse(data: bytes, names: Sequence[str], separator: str, on_bad: Callable[[Any], str]) -> Any:
    """Arrow's table of all rows including the header, every value as text."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    return arrow_csv.read_csv(
        io.BytesIO(data),
        # One thread, so that a bad row has a number; one block, so that no row is cut in two.
        arrow_csv.ReadOptions(
            use_threads=False, block_size=min(max(len(data), 1 << 20), 1 << 30), column_names=names
        ),
        arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=True, invalid_row_handler=on_bad),
        arrow_csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
    )


def _last_row(path: Path, separator: str, data: bytes) -> int:
    """The row in which the data ends, as Arrow counts rows."""
    bad: list[Any] = []

    def skip(row: Any) -> str:
        bad.append(row)
        return "skip"

    return len(_parse(data, _header(path, data, separator), separator, skip)) + len(bad) - 1


def _header(path: Path, data: bytes, separator: str) -> list[str]:
    lines = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", newline="")
    try:
        names = next(row for row in csv.reader(lines, delimiter=separator) if row)
    except csv.Error as error:
        raise file_error(
            path, f"has a header that cannot be read ({reason(error)}); save it again"
        ) from error
    if len(names) == 1 and (other := next((s for s in ";\t|," if s in names[0]), None)):
        raise file_error(path, f"uses {other!r} as separator; use {separator!r}")
    _check_names(path, names)
    return names


def _check_quotes(path: Path, data: bytes, table: Any) -> None:
    """An error where a quote is opened and never closed, which swallows the rest of the file."""
    if not len(table) or data.count(b'"') % 2 == 0:
        return
    last = table.slice(len(table) - 1).to_pylist()[0]
    if any("\n" in value for value in last.values()):
        raise file_error(path, f"row {len(table)} opens a quote and never closes it; close it, or double it")


def _read_jsonl(path: Path) -> Table:
    rows: list[dict[str, object]] = []
    data = _read_bytes(path, lambda before: sum(map(bool, map(bytes.strip, before.split(b"\n")))))
    for number, line in enumerate(data.decode("utf-8-sig").split("\n"), start=1):
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
        raise file_error(at, f"is not a JSON object ({said}); write one object {{...}} per line") from error
    if not isinstance(row, dict):
        raise file_error(
            at, f"is a JSON {type(row).__name__}, not an object; write one object {{...}} per line"
        )
    return row


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"duplicate key {twice!r}")
    return row


def _read_parquet(path: Path) -> Table:
    import pyarrow as pa
    from pyarrow import parquet

    with reading(path), path.open("rb") as file:
        if not file.read(1):
            raise file_error(path, "is empty; write the table again")
        try:
            table = parquet.ParquetFile(file).read()
        except (pa.ArrowException, ValueError, OSError) as error:
            raise file_error(
                path, f"is not a parquet file or is damaged ({reason(error)}); write it again"
            ) from error
    _check_names(path, table.column_names)
    columns = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    if not columns:
        raise file_error(path, "has no columns; write the table again")
    return Table(columns=dict(zip(table.column_names, columns, strict=True)), text=False)
