"""The cache of vectors: an encoder encodes each row once."""

import io
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from credprop.data.check_texts import check_texts
from credprop.files import cache_folder, write_whole
from credprop.frozen.protocol import Frozen, OnProgress, Vectors, no_progress

_VERSION = 1  # of what `encode` does to a row; a new version ignores older files
_WRITTEN_AT_ONCE = 8192  # rows; an interrupted run loses at most these
_MOST_SMALL = 16  # files; when there are more, they are merged into one
_SMALL = 1 << 22  # bytes; larger files are never rewritten
_KEY = 16  # bytes of the digest that identifies a row

_Known = dict[bytes, NDArray[np.float32]]  # the vectors of rows by key

_log = logging.getLogger(__name__)


def encode_once(
    frozen: Frozen, rows: Any, folder: Path | None = None, on_progress: OnProgress = no_progress
) -> Vectors:
    """Vectors of the rows, encoded only where this encoder has not encoded a row before.

    They are cached below `folder`, by default in the user's cache folder, by the encoder's name and weights
    and by the exact content of each row. Unreadable files are ignored; where nothing can be written, nothing
    is cached.
    """
    place = (folder or cache_folder() / "frozen") / _digest(_VERSION, frozen.name, frozen.identity)
    rows = check_texts(rows) if frozen.kind == "text" else np.asarray(rows)
    keys = [_key(row) for row in rows]
    known = _look_up(sorted(place.glob("*.npz")), set(keys))
    missing = {key: row for row, key in enumerate(keys) if key not in known}  # of equal rows one
    seen = len(keys) - len(missing)
    on_progress(seen, len(keys))
    for part in _parts(list(missing.values())):
        vectors = frozen.encode(_take(rows, part), _after(seen, len(keys), on_progress))
        found = [keys[row] for row in part]
        _keep(place, found, vectors)
        known |= dict(zip(found, vectors, strict=True))
        seen += len(part)
    if not keys:
        return frozen.encode(rows)
    return np.stack([known[key] for key in keys])


def _after(before: int, total: int, on_progress: OnProgress) -> OnProgress:
    """Progress through a part, as progress through the whole."""
    return lambda done, _: on_progress(before + done, total)


def _parts(indices: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(indices), _WRITTEN_AT_ONCE):
        yield indices[start : start + _WRITTEN_AT_ONCE]


def _take(rows: Any, indices: list[int]) -> Any:
    return rows[indices] if isinstance(rows, np.ndarray) else [rows[i] for i in indices]


def _key(row: Any) -> bytes:
    """The key of a row: a digest of a text, or of an image with its shape and dtype."""
    if isinstance(row, np.ndarray):
        digest = blake2b(f"{row.shape} {row.dtype.str}\n".encode(), digest_size=_KEY)
        digest.update(np.ascontiguousarray(row).tobytes())
        return digest.digest()
    return blake2b(row.encode("utf-8"), digest_size=_KEY).digest()


def _digest(*parts: object) -> str:
    return blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def _look_up(files: Iterable[Path], wanted: set[bytes] | None) -> _Known:
    """The cached vectors of the wanted rows, or of all."""
    known: _Known = {}
    for file in files:
        try:
            known |= _read(file, wanted if wanted is None else wanted - known.keys())
        except Exception as error:  # damaged files raise errors of many types
            _log.info("%s cannot be read (%s); its rows are encoded again", file, error)
    return known


def _read(file: Path, wanted: set[bytes] | None) -> _Known:
    """The wanted vectors of a file; vectors are only read where there are any."""
    with file.open("rb") as opened, np.load(opened, allow_pickle=False) as kept:
        keys = [key.tobytes() for key in kept["keys"]]
        hits = [i for i, key in enumerate(keys) if wanted is None or key in wanted]
        if not hits:
            return {}
        vectors = kept["vectors"]
    if vectors.dtype != np.float32 or vectors.ndim != 2 or len(vectors) != len(keys):
        raise ValueError(f"vectors of shape {vectors.shape} for {len(keys)} rows")
    return {keys[i]: vectors[i] for i in hits}


def _keep(place: Path, keys: Sequence[bytes], vectors: Vectors) -> None:
    """Write these rows; the number of files stays bounded."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        _write(place, keys, vectors)
        _merge(place)
    except OSError as error:
        _log.warning(
            "vectors are not cached (%s: %s); set CREDPROP_CACHE to a writable folder", place, error.strerror
        )


def _write(place: Path, keys: Sequence[bytes], vectors: Vectors) -> None:
    """Write these rows as a new file, so that no two programs ever write the same one."""
    content = io.BytesIO()
    array = np.frombuffer(b"".join(keys), np.uint8).reshape(-1, _KEY)
    np.savez(content, keys=array, vectors=np.asarray(vectors, np.float32))
    write_whole(place / f"{uuid4().hex}.npz", content.getvalue())


def _merge(place: Path) -> None:
    """Replace many small files, and damaged ones, by one file with their rows.

    Another program that reads or merges at the same time at worst encodes or stores a row twice.
    """
    small = [file for file in place.glob("*.npz") if _size(file) < _SMALL]
    if len(small) <= _MOST_SMALL:
        return
    widths: defaultdict[int, _Known] = defaultdict(dict)  # images of another size may have another one
    for key, vector in _look_up(small, None).items():
        widths[len(vector)][key] = vector
    for known in widths.values():
        _write(place, list(known), np.stack(list(known.values())))
    for file in small:
        file.unlink(missing_ok=True)


def _size(file: Path) -> int:
    """Bytes of a file; 0 where another program has just deleted it."""
    return file.stat().st_size if file.exists() else 0
