"""Format names of cells and numbers for the page of a bench."""

from collections.abc import Mapping, Sequence
from typing import Any

from credprop.report.formatting import points

PageData = Mapping[str, Any]  # from credprop.bench.make_page_data

CHOSEN_PER_CELL = "CCP, variant chosen per cell"
SCENARIOS = {
    "base": "Base case",
    "few-label": "Few labels",
    "open-set": "Open set",
    "noisy-label": "Noisy labels",
    "imbalanced-unlabeled": "Imbalanced, unlabeled",
    "imbalanced-labeled": "Imbalanced, labeled",
}


def split_cell(cell: str) -> tuple[str, int]:
    """Scenario and severity of a cell; the base case has severity 0."""
    name, _, severity = cell.rpartition("-")
    return (name, int(severity)) if name and severity.isdigit() else (cell, 0)


def cell_name(cell: str) -> str:
    """A cell as text: `few-label 2`."""
    name, severity = split_cell(cell)
    return f"{name} {severity}" if severity else name


def grouped(cells: Sequence[str]) -> str:
    """Cells as text, grouped by scenario: `base, few-label 1 2 3`."""
    groups: dict[str, list[str]] = {}
    for name, severity in map(split_cell, cells):
        groups.setdefault(name, []).append(str(severity) if severity else "")
    return ", ".join(" ".join([name, *severities]).strip() for name, severities in groups.items())


def scenarios_of(cells: Sequence[str]) -> list[str]:
    """The scenarios of cells in order, without repetition and without the base case."""
    return [name for name in dict.fromkeys(split_cell(cell)[0] for cell in cells) if name != "base"]


def is_lower(value: float, other: float) -> bool:
    """Whether the value is smaller by more than a rounding error."""
    return value < other - 1e-9


def score(accuracy: float | None) -> str:
    """An accuracy in % with one decimal."""
    return "" if accuracy is None else f"{100 * accuracy:.1f}"


def between(interval: Sequence[float] | None, scale: float = 100, digits: int = 1) -> str:
    """An interval as text; empty if there is none."""
    if interval is None:
        return ""
    low, high = (f"{scale * end:.{digits}f}".replace("-", "\N{MINUS SIGN}") for end in interval)
    return f"{low} to {high}"


def size(difference: float) -> str:
    """The absolute difference of two shares in points."""
    amount = f"{abs(100 * difference):.1f}"
    return f"{amount} point{'' if amount == '1.0' else 's'}"


def signed(difference: float | None) -> str:
    """A difference in points with sign; empty if there is none."""
    return "" if difference is None else points(difference)


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names as text; with many, the last ones are only counted."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
