"""Checks of texts, the same wherever they come from."""

from collections.abc import Callable, Iterable, Sequence

from credprop.data.missing import is_missing


def check_texts(
    values: Iterable[object],
    *,
    where: str = "",
    first: int = 0,
    note: Callable[[str], None] = lambda message: None,
) -> list[str]:
    """The values as strings that UTF-8 can encode; "" for missing and blank ones.

    Surrogate pairs become the character they stand for, lone surrogates U+FFFD. Anything but a string or a
    missing value is refused with its row. `where` comes before a row in messages, `first` is the number of
    the first row; `note` is called with a message for each kind of change.
    """
    if isinstance(values, str):
        raise ValueError("got a single string instead of a list of texts; put it in a list")
    given = ["" if is_missing(value) else value for value in values]
    texts = [_well_formed(_check_string(text, f"{where}row {row}")) for row, text in enumerate(given, first)]
    empty = [row for row, text in enumerate(texts, first) if not text]
    _tell(note, where, empty, "is empty and read as empty text")
    broken = [row for row, text in enumerate(texts, first) if text and text != given[row - first]]
    _tell(note, where, broken, "holds half a character (a lone surrogate), read as \N{REPLACEMENT CHARACTER}")
    return texts


def _check_string(value: object, row: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{row} is {value!r:.40}, not text; give a string for every row")
    return str(value)


def _well_formed(text: str) -> str:
    """The text without lone surrogates, which UTF-8 cannot encode; "" for a blank text."""
    if not text.strip():
        return ""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _tell(note: Callable[[str], None], where: str, rows: Sequence[int], what: str) -> None:
    if rows:
        note(f"{where}row {rows[0]} {what} (rows like it: {len(rows)})")
