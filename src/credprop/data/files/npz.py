"""The arrays of an .npz: X and y, or x_train, y_train, x_test and y_test. Nothing is unpickled."""

import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from credprop.data.files.label_column import read_labels
from credprop.data.files.source import (
    TEXT_ADVICE,
    Part,
    Roles,
    Source,
    file_error,
    listed,
    read_words,
    reading,
    reason,
    unique_ids,
    unknown_name_error,
)

_T = TypeVar("_T")
_CHANNELS = (1, 3, 4)
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")  # how a zip file begins, with and without content
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


def npz_source(path: Path, roles: Roles) -> Source:
    """The chosen part of an .npz. By default, ids are the numbers of the rows in the file.

    Labels are `y`, or the array that `label` names; where none are needed, only the named array is read.
    """
    if roles.part == "both" and "X" not in (there := _read(path, lambda archive: list(archive.files))):
        parts: list[Part] = ["train", "test"] if "x_test" in there else ["train"]
        return _joined(path, {part: npz_source(path, replace(roles, part=part)) for part in parts})
    names, arrays = _read_arrays(path, roles)
    x = arrays["x"]
    images = _check_shape(path, x, names["x"])
    values = {role: _column(path, arrays[role], names[role], len(x)) for role in names if role != "x"}
    ids = [str(i) for i in range(len(x))]
    if "ids" in values:
        ids = unique_ids(path, values["ids"], f"array {names['ids']!r}")
    both = roles.part == "both"
    rows = np.arange(len(x))
    if "split" in values and not both:
        rows = _rows_of_part(path, values["split"], roles)
    x = x if len(rows) == len(x) else x[rows]
    x = _checked_images(path, x, names["x"]) if images else _vectors(path, x, names["x"], rows)
    labels = None
    if "labels" in values:
        given = [values["labels"][i] for i in rows]
        where = f"array {names['labels']!r}"
        labels = read_labels(path, given, where=where, text=False, unlabeled=roles.unlabeled)
    return Source(
        kind="images" if images else "vectors",
        x=x,
        labels=labels,
        ids=[ids[i] for i in rows],
        split=read_words(values["split"]) if both and "split" in values else None,
    )


def _joined(path: Path, parts: dict[Any, Source]) -> Source:
    """Parts of a file as one source, in order."""
    sources = list(parts.values())
    shapes = {source.x.shape[1:] for source in sources}
    if len(shapes) > 1:
        raise file_error(path, f"its parts have rows of shapes {sorted(shapes)}; save rows of one shape")
    labels = [label for source in sources for label in source.labels or ()]
    return Source(
        kind=sources[0].kind,
        x=np.concatenate([source.x for source in sources]),
        labels=labels if sources[0].labels is not None else None,
        ids=[f"{part}/{i}" for part, source in parts.items() for i in source.ids],
        split=[part for part, source in parts.items() for _ in source.ids],
    )


def _read_arrays(path: Path, roles: Roles) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
    """Names and arrays of what is needed: x, and labels, ids and split where there are such."""

    def read(archive: Any) -> tuple[dict[str, str], dict[str, NDArray[Any]]]:
        names = _needed(path, archive.files, roles)
        return names, {role: _load(path, archive, name) for role, name in names.items()}

    return _read(path, read)


def _read(path: Path, read: Callable[[Any], _T]) -> _T:
    """What `read` makes of the archive."""
    with reading(path), path.open("rb") as file:
        start = file.read(4)
        if not start:
            raise file_error(path, "is empty; write it again with numpy.savez")
        if start not in _ZIP or not zipfile.is_zipfile(file):
            raise file_error(
                path, "is not an .npz file or is damaged; write it again with numpy.savez(path, X=X, y=y)"
            )
        file.seek(0)
        try:
            with np.load(file, allow_pickle=False) as archive:
                return read(archive)
        except _DAMAGED as error:
            raise file_error(
                path, f"is a damaged .npz ({reason(error)}); write it again with numpy.savez"
            ) from error


def _needed(path: Path, there: list[str], roles: Roles) -> dict[str, str]:
    """The name of the array for each role."""
    whole = "X" in there
    x, y, ids = ("X", "y", ("ids", "id"))
    if not whole:
        x, y, ids = f"x_{roles.part}", f"y_{roles.part}", (f"ids_{roles.part}", f"id_{roles.part}")
    if x not in there:
        raise file_error(
            path,
            f"holds {listed(there) or 'no array'}, not 'X' or {x!r}; save X and y in it by name",
        )
    names = {"x": x}
    label = roles.label if roles.label and (whole or roles.part == "train") else y
    if label in there and (roles.need_labels or roles.label):
        names["labels"] = label
    elif roles.need_labels:
        raise unknown_name_error(path, label, there, "--label", noun="array")
    if whole and "split" in there:
        names["split"] = "split"
    if roles.id_column is not None and roles.id_column not in there:
        raise unknown_name_error(path, roles.id_column, there, "--id", noun="array")
    chosen = [name for name in (roles.id_column, *ids) if name in there]
    return names | ({"ids": chosen[0]} if chosen and chosen[0] else {})


def _load(path: Path, archive: Any, name: str) -> NDArray[Any]:
    try:
        array: NDArray[Any] = archive[name]
    except (ValueError, MemoryError) as error:  # mostly objects, which only pickle could read
        raise file_error(
            path,
            f"array {name!r} cannot be read ({reason(error)}); save numbers of one shape, and labels as"
            " numbers or as text with '' where unlabeled; put texts to learn from into a table",
        ) from error
    if not isinstance(array, np.ndarray):
        raise file_error(path, f"{name!r} in it is not an array; write it again with numpy.savez")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _check_shape(path: Path, x: NDArray[Any], name: str) -> bool:
    """Whether `x` holds images; neither images nor vectors is an error."""
    if 0 in x.shape:
        raise file_error(
            path, f"array {name!r} of shape {x.shape} is empty; give at least one row and one column"
        )
    if x.ndim == 4 and (x.shape[1] in _CHANNELS or x.shape[3] in _CHANNELS):
        return True
    if x.ndim == 1 and x.dtype.kind in "US":
        raise file_error(path, f"array {name!r} holds text, which is not supported in an .npz; {TEXT_ADVICE}")
    if x.ndim != 2:
        raise file_error(
            path,
            f"array {name!r} has shape {x.shape}; give vectors (n, d), or images (n, h, w, c) or (n, c, h, w)"
            " with c = 1, 3 or 4",
        )
    return False


def _column(path: Path, values: NDArray[Any], name: str, n: int) -> list[object]:
    """One Python value for each of `n` rows."""
    if values.ndim not in (1, 2) or values.shape[1:] not in ((), (1,)) or len(values) != n:
        raise file_error(
            path, f"array {name!r} has shape {values.shape}, but there are {n} rows; give one value per row"
        )
    column: list[object] = values.ravel().tolist()
    return column


def _rows_of_part(path: Path, split: list[object], roles: Roles) -> NDArray[np.intp]:
    """The rows of the chosen part; all of them where `split` marks neither train nor test."""
    words = np.array([word.decode() if isinstance(word, bytes) else str(word) for word in split])
    if not {"train", "test"} & set(words.tolist()):
        return np.arange(len(words))
    rows = np.flatnonzero(words == roles.part)
    if not len(rows):
        raise file_error(path, f"array 'split' marks no row {roles.part!r}; mark some, or leave 'split' out")
    return rows


def _vectors(
    path: Path, x: NDArray[Any], name: str, rows: Sequence[int] | NDArray[Any]
) -> NDArray[np.float32]:
    if x.dtype.kind not in "fiub":
        raise file_error(path, f"array {name!r} holds {x.dtype}, not numbers; save it as float32")
    with np.errstate(over="ignore"):
        vectors = x.astype(np.float32, copy=False)
    finite = np.isfinite(vectors)
    if not finite.all():
        i, j = np.argwhere(~finite)[0]
        raise file_error(
            path,
            f"{name}[{rows[i]}, {j}] is {x[i, j]}, which is not a finite 32-bit number"
            f" (rows like it: {(~finite).any(axis=1).sum()}); fill it in or drop the row",
        )
    return vectors


def _checked_images(path: Path, x: NDArray[Any], name: str) -> NDArray[Any]:
    """Images as they are: bytes, or floats in [0, 1]."""
    if x.dtype == np.uint8:
        return x
    if x.dtype.kind != "f":
        raise file_error(
            path, f"images in {name!r} are {x.dtype}; save them as uint8, or as floats in [0, 1]"
        )
    low, high = x.min(), x.max()
    if not 0 <= low <= high <= 1:  # also where one is NaN
        raise file_error(
            path,
            f"images in {name!r} range from {low:g} to {high:g}; save them as uint8, or as floats in [0, 1]",
        )
    return x
