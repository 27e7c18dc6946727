"""The certificate: whether the blend beats the better of the supervised and the linear model."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from credprop.trial.scores import contributions, score

BLEND, SUPERVISED, LINEAR = "blend", "supervised", "linear"
LEVEL = 0.95
SHARED = 0.5  # what a shared training row adds to the variance, of what a hidden row does


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """How the blend compares with the better baseline on labels that were hidden from both.

    All scores are agreement with given labels. The interval is for the procedure at this number of labels.
    """

    metric: str
    supervised: float
    linear: float | None  # None: these rows have no linear model
    ccp: float  # the blend, each fold by weights that do not know its labels
    baseline: str  # the better of the two
    difference: float
    low: float
    high: float
    p_value: float
    decided_by: int  # hidden rows that only one of the two gets right
    folds: int
    hidden: int  # labels
    shipped: str = BLEND
    weights: Mapping[str, float]
    note: str = ""

    @property
    def proven(self) -> bool:
        """Whether the blend is shown to be better."""
        return self.low > 0 and self.p_value < 1 - LEVEL

    @property
    def worse(self) -> bool:
        """Whether the blend is shown to be worse."""
        return self.high < 0


def compare(
    predicted: Mapping[str, NDArray[np.int64]],
    labels: NDArray[np.int64],
    k: int,
    *,
    metric: str,
    folds: int,
    training_labels: float,
    weights: Mapping[str, float],
) -> Certificate:
    """The certificate from predictions of hidden rows; `predicted` has the blend and one or both baselines.

    `training_labels` is how many labels a fold had to learn from, on average.
    """
    scores = {name: score(metric, codes, labels, k) for name, codes in predicted.items()}
    baseline = max((name for name in scores if name != BLEND), key=lambda name: scores[name])
    ours, theirs = (contributions(metric, predicted[name], labels, k) for name in (BLEND, baseline))
    low, high = interval(ours - theirs, training_labels)
    right = predicted[BLEND] == labels, predicted[baseline] == labels
    return Certificate(
        metric=metric,
        supervised=scores[SUPERVISED],
        linear=scores.get(LINEAR),
        ccp=scores[BLEND],
        baseline=baseline,
        difference=scores[BLEND] - scores[baseline],
        low=low,
        high=high,
        p_value=mcnemar(*right),
        decided_by=int((right[0] ^ right[1]).sum()),
        folds=folds,
        hidden=len(labels),
        weights=dict(weights),
    )


def interval(difference: NDArray[np.float64], training_labels: float) -> tuple[float, float]:
    """Interval for the mean of paired differences over the rows of a cross-validation.

        d +- t sqrt(s^2 (1/n + c/n_train)),    c = 1/2

    Rows of different folds are not independent, as their models share training rows: c/n_train corrects for
    that as Nadeau and Bengio (2003) do, here with the variance over rows, which are many, instead of over
    folds, which are few. Their c is 1, for test sets that overlap; with disjoint folds 1/2 is enough
    (`benchmarks/certificate.py`). Two rows are added, half a win and half a loss (Agresti and Min 2005), as
    the variance of a handful of rows may be zero by chance.
    """
    from scipy import stats

    padded = np.concatenate([difference, [np.sqrt(0.5), -np.sqrt(0.5)]])
    n = len(padded)
    spread = np.sqrt(padded.var(ddof=1) * (1 / n + SHARED / max(training_labels, 1)))
    margin = float(stats.t.ppf((1 + LEVEL) / 2, df=n - 1) * spread)
    center = float(padded.mean())
    return max(-1.0, center - margin), min(1.0, center + margin)


def mcnemar(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> float:
    """Exact p-value of McNemar's test: which of two equals is right where only one is, is a fair coin."""
    from scipy import stats

    wins, losses = int((first & ~second).sum()), int((second & ~first).sum())
    return float(stats.binomtest(wins, wins + losses).pvalue) if wins + losses else 1.0
