"""Names of cells and methods as a person reads them, and numbers as a table shows them."""

from collections.abc import Mapping, Sequence
from typing import Any

from credprop.report.words import points

Found = Mapping[str, Any]  # the digest of a bench

AS_IN_PAPER = "CCP as in the paper"
SCENARIOS = {
    "base": "Base case",
    "few-label": "Few labels",
    "open-set": "Open set",
    "noisy-label": "Noisy labels",
    "imbalanced-unlabeled": "Imbalanced, unlabeled",
    "imbalanced-labeled": "Imbalanced, labeled",
}


def parted(cell: str) -> tuple[str, int]:
    """Scenario and severity of a cell; the base case has severity 0."""
    name, _, severity = cell.rpartition("-")
    return (name, int(severity)) if name and severity.isdigit() else (cell, 0)


def cell_name(cell: str) -> str:
    """A cell as words: `few-label 2`."""
    name, severity = parted(cell)
    return f"{name} {severity}" if severity else name


def grouped(cells: Sequence[str]) -> str:
    """Cells in a row, the severities of a scenario together: `base, few-label 1 2 3`."""
    found: dict[str, list[str]] = {}
    for name, severity in map(parted, cells):
        found.setdefault(name, []).append(str(severity) if severity else "")
    return ", ".join(" ".join([name, *severities]).strip() for name, severities in found.items())


def scenarios_of(cells: Sequence[str]) -> list[str]:
    """The scenarios of cells, each once, in order, the base case left out."""
    return [name for name in dict.fromkeys(parted(cell)[0] for cell in cells) if name != "base"]


def is_lower(value: float, other: float) -> bool:
    """Whether it is smaller by more than rounding."""
    return value < other - 1e-9


def score(accuracy: float | None) -> str:
    """An accuracy in %, with a digit."""
    return "" if accuracy is None else f"{100 * accuracy:.1f}"


def between(interval: Sequence[float] | None, scale: float = 100, digits: int = 1) -> str:
    """An interval as words; empty where there is none."""
    if interval is None:
        return ""
    low, high = (f"{scale * end:.{digits}f}".replace("-", "\N{MINUS SIGN}") for end in interval)
    return f"{low} to {high}"


def size(difference: float) -> str:
    """How large a difference of two shares is, in points."""
    amount = f"{abs(100 * difference):.1f}"
    return f"{amount} point{'' if amount == '1.0' else 's'}"


def signed(difference: float | None) -> str:
    """A difference in points with its sign; empty where there is none."""
    return "" if difference is None else points(difference)


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names in a row, the last ones counted where they are many."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
