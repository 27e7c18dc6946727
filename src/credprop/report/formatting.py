"""Format values as text that is safe to show and as plain JSON."""

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

_LINE_END = "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}"
# Control characters, including those that change the direction of text.
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_SPACE = "\u202f"  # narrow no-break space


def clean(text: object) -> str:
    """A text with invisible, direction-changing and unencodable characters replaced."""
    return _HIDDEN.sub("\N{REPLACEMENT CHARACTER}", str(text).encode("utf-8", "replace").decode())


def shorten(text: str, width: int) -> str:
    """A text in one line, shortened to `width` characters."""
    line = " ".join(text[: 4 * width + 100].split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def in_a_line(text: str, width: int) -> str:
    """A text in one line with marks for line ends, shortened to `width` characters."""
    lines = text.lstrip()[: 4 * width + 100].splitlines()
    return shorten(f" {_LINE_END} ".join(line for line in lines if line.strip()), width)


def plain(value: Any) -> Any:
    """The value as plain JSON types: no arrays, no NaN, all text cleaned."""
    match value:
        case None | bool() | int():
            return value
        case float() | np.floating():
            return float(value) if math.isfinite(value) else None
        case np.generic():
            return plain(value.item())
        case Mapping():
            return {clean(key): plain(inner) for key, inner in value.items()}
        case list() | tuple() | np.ndarray():
            return [plain(inner) for inner in value]
    return clean(value)


def rounded(values: np.ndarray, digits: int = 4) -> list[Any]:
    """Rounded numbers, None where they are not finite."""
    return [plain(value) for value in np.round(np.asarray(values, dtype=float), digits).tolist()]


def percent(share: float) -> str:
    """A share in percent with one decimal."""
    return f"{100 * share:.1f}{_SPACE}%"


def points(difference: float) -> str:
    """A difference of two shares in percentage points, with sign."""
    return f"{100 * difference:+.1f}".replace("-", "\N{MINUS SIGN}")


def several(count: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
