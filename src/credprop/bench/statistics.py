"""Intervals, ranks and tests: what a few seeds on a few cells can tell, and what they cannot."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev

_SAME = 1e-9  # accuracies closer than this differ by rounding alone


def interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float] | None:
    """Where the mean lies with this probability, by Student's t; None for fewer than two values."""
    if len(values) < 2:
        return None
    from scipy import stats

    middle, error = fmean(values), stdev(values) / math.sqrt(len(values))
    reach = float(stats.t.ppf((1 + level) / 2, len(values) - 1)) * error
    return middle - reach, middle + reach


def ranks(values: Sequence[float]) -> list[float]:
    """The place of each value, 1 for the largest; equal ones share the mean of their places."""
    from scipy import stats

    found: list[float] = stats.rankdata([-round(value / _SAME) for value in values]).tolist()
    return found


def paired_p(differences: Sequence[float]) -> float:
    """How likely differences like these are where neither is better: Wilcoxon's signed ranks, two-sided.

    Exact where they are few. Runs on the same data are not independent, so read it as a guide.
    """
    from scipy import stats

    apart = [value for value in differences if abs(value) > _SAME]
    return float(stats.wilcoxon(apart).pvalue) if apart else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """The same p-values where many tests are made at once: Holm's step-down correction, in the same order."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, so_far = [0.0] * len(p_values), 0.0
    for step, i in enumerate(order):
        so_far = max(so_far, (len(order) - step) * p_values[i])
        corrected[i] = min(1.0, so_far)
    return corrected


def is_below(value: float, other: float) -> bool:
    """Whether it is smaller by more than rounding."""
    return value < other - _SAME
