"""The content of a file or folder, the roles of its columns, and the errors of its reader."""

import reprlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from numpy.typing import NDArray

from credprop.data.missing import is_missing

Kind = Literal["vectors", "images", "text"]
Part = Literal["train", "test", "both"]

TEXT_ADVICE = "give a table (.csv, .jsonl or .parquet) and name its column of texts with --text"


@dataclass(frozen=True, eq=False, kw_only=True)
class Source:
    """The content of a file or folder.

    `x` are vectors (n, d) as float32, images, (n, h, w, c) or (n, c, h, w), as bytes or floats in [0, 1], or
    texts (n,) as objects of type str.
    `labels` are as the user wrote them, None where a row is unlabeled; None where no labels were read.
    `columns` are the features of a table, `left_out` its columns that are not used.
    `split` is the part that each row belongs to, where both parts were asked for and the source has them.
    `gold` says which labels are surely right, `groups` which rows belong together, where columns were named.
    `warnings` are things that work but that a user should know.
    """

    kind: Kind
    x: NDArray[Any]
    labels: list[object] | None
    ids: list[str]
    columns: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    split: list[str] | None = None
    gold: list[bool] | None = None
    groups: list[str] | None = None
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, kw_only=True)
class Roles:
    """The user's choices for a source: the roles of its columns, the mark of unlabeled rows."""

    label: str | None = None
    features: tuple[str, ...] = ()
    image: str | None = None
    text: str | None = None
    id_column: str | None = None
    gold: str | None = None
    group: str | None = None
    unlabeled: str | None = None
    part: Part = "train"
    need_labels: bool = True


def file_error(path: Path, what: str) -> ValueError:
    """An error about an input: one line that begins with the file."""
    return ValueError(" ".join(f"{path}: {what}".splitlines()))


def reason(error: Exception, most: int = 160) -> str:
    """The message of a library's error, cut short."""
    said = str(error) or type(error).__name__
    return said if len(said) <= most else f"{said[:most]}..."


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Errors of the operating system, as errors about this file or folder."""
    try:
        yield
    except OSError as error:
        said = error.strerror or reason(error)
        raise file_error(path, f"cannot be read: {said}; check the path, permissions and disk") from error


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names in quotes, the first few where there are many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(repr(name) for name in names[:most]) + more


def unknown_name_error(
    path: Path, name: str, there: Sequence[str], option: str, noun: str = "column"
) -> ValueError:
    """The error about a column or array that does not exist; it lists the others and suggests the closest."""
    near = get_close_matches(name, there, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; name one of them with {option}"
    return file_error(path, f"there is no {noun} {name!r}, only {listed(there)}{hint}")


def read_words(values: Sequence[object]) -> list[str]:
    """Values as text without spaces around it; missing ones are empty."""
    return [_text(value).strip() for value in values]


def unique_ids(path: Path, values: Sequence[object], where: str) -> list[str]:
    """Ids as text, checked to be present and unique."""
    ids = [_text(value) for value in values]
    first: dict[str, int] = {}
    for row, name in enumerate(ids, start=1):
        if not name:
            raise file_error(path, f"{where} is empty in row {row}; give every row an id, or leave --id out")
        if name in first:
            raise file_error(
                path,
                f"{where} has {reprlib.repr(name)} in row {first[name]} and in row {row};"
                " give every row a unique id, or leave --id out",
            )
        first[name] = row
    return ids


def _text(value: object) -> str:
    if is_missing(value):
        return ""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
