"""Confidence intervals, ranks and significance tests for a few seeds on a few cells."""

import math
from collections.abc import Sequence
from statistics import fmean, stdev

_SAME = 1e-9  # smaller differences of accuracies are rounding errors


def interval(values: Sequence[float], level: float = 0.95) -> tuple[float, float] | None:
    """Confidence interval of the mean, by Student's t; None for fewer than two values."""
    if len(values) < 2:
        return None
    from scipy import stats

    middle, error = fmean(values), stdev(values) / math.sqrt(len(values))
    reach = float(stats.t.ppf((1 + level) / 2, len(values) - 1)) * error
    return middle - reach, middle + reach


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, 1 for the largest; ties share their mean rank."""
    from scipy import stats

    found: list[float] = stats.rankdata([-round(value / _SAME) for value in values]).tolist()
    return found


def paired_p(differences: Sequence[float]) -> float:
    """p-value of the two-sided Wilcoxon signed-rank test that differences are symmetric around zero.

    Exact for few differences. Runs on the same data are not independent, so treat it as a guide.
    """
    from scipy import stats

    apart = [value for value in differences if abs(value) > _SAME]
    return float(stats.wilcoxon(apart).pvalue) if apart else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for multiple tests by Holm's step-down method, in the same order."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, so_far = [0.0] * len(p_values), 0.0
    for step, i in enumerate(order):
        so_far = max(so_far, (len(order) - step) * p_values[i])
        corrected[i] = min(1.0, so_far)
    return corrected


def is_below(value: float, other: float) -> bool:
    """Whether the value is smaller by more than a rounding error."""
    return value < other - _SAME
