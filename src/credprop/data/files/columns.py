"""The columns of a table in their roles: label, id, features, images or texts."""

import reprlib
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credprop.data.files.formats import read_table
from credprop.data.files.image_folder import load_images
from credprop.data.files.label_column import read_labels
from credprop.data.files.source import (
    Roles,
    Source,
    file_error,
    listed,
    read_words,
    unique_ids,
    unknown_name_error,
)
from credprop.data.files.table import Table
from credprop.data.files.text_column import looks_like_text, read_texts

_YES, _NO = {"1", "1.0", "true", "yes"}, {"", "0", "0.0", "false", "no"}
_TAKEN = {"label": "the label", "id_column": "the id", "gold": "the one of --gold", "group": "the group"}
_INDEX_NAMES = ("Unnamed: ", "__index_level_")  # an index that pandas wrote


def table_source(path: Path, ending: str, roles: Roles) -> Source:
    """The content of a table, its columns in the roles that the user gave them."""
    table = read_table(path, ending)
    _check_there(path, table, roles)
    _check_one_role_each(path, roles)
    labels = _labels(path, table, roles)
    ids = [str(i) for i in range(len(table))]
    if roles.id_column is not None:
        ids = unique_ids(path, table.values(roles.id_column), f"column {roles.id_column!r}")
    content = _content(path, table, roles)
    left_out = _left_out(table, roles, content.get("columns", ()))
    return Source(
        labels=labels,
        ids=ids,
        left_out=left_out,
        split=read_words(table.values("split")) if roles.part == "both" and "split" in left_out else None,
        gold=None if roles.gold is None else _gold(path, table, roles.gold),
        groups=None if roles.group is None else read_words(table.values(roles.group)),
        **content,
    )


def _content(path: Path, table: Table, roles: Roles) -> dict[str, Any]:
    """The samples of a table, and the fields of a source that describe them."""
    if roles.text is not None:
        texts, warnings = read_texts(path, table, roles.text)
        return {"kind": "text", "x": texts, "warnings": warnings}
    if roles.image is not None:
        return {"kind": "images", "x": _images(path, table, roles.image)}
    x, names = _features(path, table, roles)
    return {"kind": "vectors", "x": x, "columns": names}


def _check_there(path: Path, table: Table, roles: Roles) -> None:
    there = list(table.columns)
    if roles.label is None and roles.need_labels:
        raise file_error(path, f"name the label column with --label; there are {listed(there)}")
    named = {"--label": roles.label, "--id": roles.id_column, "--image": roles.image, "--text": roles.text}
    named |= {"--gold": roles.gold, "--group": roles.group}
    for option, name in named.items():
        if name is not None and name not in there and (option != "--label" or roles.need_labels):
            raise unknown_name_error(path, name, there, option)
    absent = [name for name in roles.features if name not in there]
    if len(absent) == 1:
        raise unknown_name_error(path, absent[0], there, "--features")
    if absent:
        raise file_error(
            path, f"has no columns {listed(absent)}, only {listed(there)}; add the missing features"
        )


def _check_one_role_each(path: Path, roles: Roles) -> None:
    contents = {"--text": roles.text, "--image": roles.image, "--features": roles.features or None}
    given = [option for option, named in contents.items() if named is not None]
    if len(given) > 1:
        raise file_error(path, f"give {' or '.join(given)}, not {'both' if len(given) == 2 else 'all'}")
    others = {"--id": roles.id_column, "--image": roles.image, "--text": roles.text}
    for option, name in (others | {"--gold": roles.gold, "--group": roles.group}).items():
        if name is not None and name == roles.label:
            raise file_error(path, f"column {name!r} is the label; name another one with {option}")
    for j, name in enumerate(roles.features):
        taken = _TAKEN.get(next((role for role in _TAKEN if getattr(roles, role) == name), ""))
        taken = "already named" if name in roles.features[:j] else taken
        if taken:
            raise file_error(path, f"column {name!r} is {taken}; remove it from --features")


def _labels(path: Path, table: Table, roles: Roles) -> list[object] | None:
    if roles.label is None or roles.label not in table.columns:
        return None
    where = f"column {roles.label!r}"
    values = table.values(roles.label)
    return read_labels(path, values, where=where, text=table.text, unlabeled=roles.unlabeled)


def _gold(path: Path, table: Table, column: str) -> list[bool]:
    """Which labels are surely right: rows with a yes in this column."""
    words = [word.lower() for word in read_words(table.values(column))]
    if unknown := sorted(set(words) - _YES - _NO):
        raise file_error(
            path, f"column {column!r} holds {unknown[0]!r}; --gold takes a column of yes and no (or 1 and 0)"
        )
    return [word in _YES for word in words]


def _left_out(table: Table, roles: Roles, used: tuple[str, ...]) -> tuple[str, ...]:
    known = {roles.label, roles.id_column, roles.gold, roles.group, roles.image, roles.text, *used}
    return tuple(name for name in table.columns if name not in known)


def _features(path: Path, table: Table, roles: Roles) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """The features (n, d), all finite, and their names in order."""
    candidates = roles.features or [
        name for name in _left_out(table, roles, ()) if name.strip() and not name.startswith(_INDEX_NAMES)
    ]
    found = {}
    for name in candidates:
        numbers = table.numbers(name)
        if numbers is not None:
            found[name] = _finite(path, name, numbers)
        elif roles.features:
            raise _not_numeric(path, table, name)
    if not found:
        raise _no_features(path, table, candidates)
    x = np.empty((len(table), len(found)), dtype=np.float32)
    for j, column in enumerate(found.values()):
        x[:, j] = column
    return x, tuple(found)


def _no_features(path: Path, table: Table, others: Sequence[str]) -> ValueError:
    """The error about a table without numeric columns; it suggests the column of texts."""
    texts = [name for name in others if looks_like_text(table.values(name))]
    advice = "add numeric columns, or name one of texts with --text or of image files with --image"
    if len(texts) == 1:
        advice = f"column {texts[0]!r} looks like text: name it with --text {shlex.quote(texts[0])}"
    there = listed(list(table.columns))
    return file_error(path, f"no numeric column to use as a feature among {there}; {advice}")


def _finite(path: Path, name: str, numbers: NDArray[np.float64]) -> NDArray[np.float32]:
    with np.errstate(over="ignore"):
        column = numbers.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(column))
    if len(bad):
        value = numbers[bad[0]]
        what = "is empty or NaN" if np.isnan(value) else f"is {value:g}, not a finite 32-bit number"
        raise file_error(
            path,
            f"column {name!r}, row {bad[0] + 1} {what} (rows like it: {len(bad)});"
            " fill it in, drop the row, or choose other columns with --features",
        )
    return column


def _not_numeric(path: Path, table: Table, name: str) -> ValueError:
    row = table.first_not_numeric(name)
    what = "it is empty"
    if row is not None:
        what = f"row {row + 1} holds {reprlib.repr(table.values(name)[row])}"
    return file_error(
        path, f"column {name!r} is not numeric: {what}; convert it to numbers or leave it out of --features"
    )


def _images(path: Path, table: Table, column: str) -> NDArray[np.uint8]:
    files = []
    for row, name in enumerate(table.values(column), start=1):
        if not isinstance(name, str) or not name.strip():
            raise file_error(
                path, f"column {column!r}, row {row} is empty; give every row the path of its image"
            )
        file = path.parent / name.strip()
        if not file.is_file():
            raise file_error(
                path,
                f"column {column!r}, row {row}: no such file {str(file)!r};"
                " give paths relative to the table's folder",
            )
        files.append(file)
    return load_images(files)
