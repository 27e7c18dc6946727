"""Texts, checked where they enter."""

from collections.abc import Iterable


def check_texts(rows: Iterable[str]) -> list[str]:
    """Rows as texts that can be written in UTF-8; half a surrogate pair becomes U+FFFD, as everywhere."""
    if isinstance(rows, str):
        raise ValueError("the rows are one text; give a list of texts")
    texts = list(rows)
    for row, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"row {row} is {text!r:.40}, not text; give a string for every row")
    return [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
