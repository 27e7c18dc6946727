"""Refined labels, label issues and outliers of every sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import torch

from credprop.estimator.outliers import find_outliers
from credprop.functional import strength

if TYPE_CHECKING:
    import pandas as pd

VERDICTS = ("relabel", "outlier", "ambiguous", "trust", "check")  # the first that applies
CONFIDENT = 0.9  # from where on a row is to be trusted
_EVEN = 0.5  # below, a row is ambiguous


@dataclass(frozen=True, eq=False, kw_only=True)
class Refined:
    """A refined label with its credibility for every sample, label issues and outliers.

    `refine` and `CCPClassifier.refined_` return it.

    Attributes
    ----------
    classes : ndarray of shape (k,)
        The classes, in order.
    given : ndarray of shape (n,)
        Index of each given label in `classes`, -1 where there was none.
    q : ndarray of shape (n, k)
        Credibility vectors, in [0, 1].
    opinion : ndarray of shape (n, k)
        Credibility that the other samples give to each class of a labeled sample; zero where unlabeled.
    outlier_score : ndarray of shape (n,)
        Angle to the nearest labeled sample, 0..1; a half circle is 1.
    labeled_iter : ndarray of shape (n,)
        0 where a label was given, m for the iteration that labeled the sample, -1 for never.
    unlabeled_label : object, default=-1
        What `labels` holds where nothing is known (None in place of -1 among strings).
    probability : ndarray of shape (n, k), optional
        With a trial: probability that each class is the true one, after seeing the label if there is one.
    doubtful : ndarray of shape (n,), optional
        With a trial: given labels that are probably wrong.
    blank : ndarray of shape (n,), optional
        Samples that hold nothing to go by, such as empty texts.
    gold : ndarray of shape (n,), optional
        Given labels that are surely right.
    trust_labels : bool or "auto", default=True
        Whether given labels stand: always, never, or unless they are doubtful.
    threshold : float, default=0.9
        Confidence from which on the verdict is "trust".

    Examples
    --------
    The second of three samples is labeled "dog", but the others say "cat"; the third has no label.

    >>> import numpy as np
    >>> from credprop import Refined
    >>> refined = Refined(
    ...     classes=np.array(["cat", "dog"]),
    ...     given=np.array([0, 1, -1]),
    ...     q=np.array([[1, 0], [0.9, 0], [0, 0.6]]),
    ...     opinion=np.array([[0.4, -0.4], [0.8, -0.8], [0, 0]]),
    ...     outlier_score=np.array([0.1, 0.1, 0.2]),
    ...     labeled_iter=np.array([0, 0, 1]),
    ... )
    >>> refined.labels.tolist()
    ['cat', 'cat', 'dog']
    >>> refined.find_label_issues()
       is_label_issue  label_quality given_label predicted_label
    0           False           0.75         cat             cat
    1            True           0.00         dog             cat
    """

    classes: np.ndarray
    given: np.ndarray
    q: np.ndarray
    opinion: np.ndarray
    outlier_score: np.ndarray
    labeled_iter: np.ndarray
    unlabeled_label: Any = -1
    probability: np.ndarray | None = None
    doubtful: np.ndarray | None = None
    blank: np.ndarray | None = None
    gold: np.ndarray | None = None
    trust_labels: bool | Literal["auto"] = True
    threshold: float = CONFIDENT

    @cached_property
    def codes(self) -> np.ndarray:
        """Index of each refined label in `classes`, -1 where nothing is known."""
        if self.probability is None:
            codes = np.where(strength(torch.from_numpy(self.q)) > 0, self.q.argmax(axis=1), -1)
        else:
            stands = (self.given >= 0) & (self.trust_labels is not False)
            if self.trust_labels == "auto" and self.doubtful is not None:
                stands &= ~self.doubtful
            if self.gold is not None:
                stands |= self.gold & (self.given >= 0)
            codes = np.where(stands, self.given, self.probability.argmax(axis=1))
        return codes if self.blank is None else np.where(self.blank & (self.given < 0), -1, codes)

    @property
    def credibility(self) -> np.ndarray:
        """Credibility of each refined label, 0..1; 0 where there is none."""
        own = self.q[np.arange(len(self.q)), self.codes]
        return np.where(self.codes >= 0, own, 0).astype(self.q.dtype)

    @property
    def confidence(self) -> np.ndarray:
        """Probability that each refined label is right; 0 where there is none.

        Without a trial it is not calibrated: the credibility, the rest spread evenly over the classes.
        """
        own = self.distributions[np.arange(len(self.q)), self.codes]
        return np.asarray(np.where(self.codes >= 0, own, 0))

    @property
    def labels(self) -> np.ndarray:
        """Refined label of every sample; `unlabeled_label` where nothing is known."""
        labels: np.ndarray = np.asarray(self.classes[self.codes])
        unknown = self.codes < 0
        if not unknown.any():
            return labels
        return _with_marker(labels, unknown, self.unlabeled_label)

    @property
    def distributions(self) -> np.ndarray:
        """Class probabilities of every sample; without a trial its credibility, the rest spread evenly."""
        if self.probability is not None:
            return self.probability
        q = self.q.astype(np.float64)
        share = q.max(axis=1, keepdims=True)
        total = q.sum(axis=1, keepdims=True)
        return np.asarray(share * q / np.where(total > 0, total, 1) + (1 - share) / len(self.classes))

    def find_label_issues(self) -> "pd.DataFrame":
        """One row per given label, with cleanlab's columns.

        Returns
        -------
        DataFrame
            Indexed by the row of the sample. `is_label_issue`: the label is probably wrong; of such labels
            about 10 % at most are expected to be right. `label_quality`: the probability that it is right;
            lower is worse. `given_label`, `predicted_label`: the label itself, and the most probable class.
            Without a trial the other samples judge: an issue is a label where they support another class,
            and the quality is their opinion of the given class, scaled to 0..1.
        """
        import pandas as pd

        rows = np.flatnonzero(self.given >= 0)
        given = self.given[rows]
        is_issue, quality, named = self._judged(rows) if self.probability is None else self._tried(rows)
        return pd.DataFrame(
            {
                "is_label_issue": is_issue,
                "label_quality": quality,
                "given_label": self.classes[given],
                "predicted_label": self.classes[named],
            },
            index=rows,
        )

    def _tried(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Issues, quality and most probable class of labeled rows, by the trial."""
        assert self.probability is not None
        given, probability = self.given[rows], self.probability[rows]
        doubtful = np.zeros(len(rows), dtype=bool) if self.doubtful is None else self.doubtful[rows]
        return doubtful, probability[np.arange(len(rows)), given], probability.argmax(axis=1)

    def _judged(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same by the other samples' opinion."""
        opinion, given = self.opinion[rows], self.given[rows]
        named = np.where(
            opinion.any(axis=1), opinion.argmax(axis=1), given
        )  # no opinion names no other class
        largest = np.abs(opinion).max(initial=0) or 1.0
        about_given = opinion[np.arange(len(rows)), given] / largest
        is_issue = (named != given) & (opinion.max(axis=1, initial=-1) > 0)
        if self.gold is not None:
            is_issue &= ~self.gold[rows]
        return is_issue, (1 + about_given.astype(np.float64)) / 2, named

    def to_frame(self, ids: Sequence[str] | None = None) -> "pd.DataFrame":
        """One row per sample: labels, credibility, verdict and what they rest on, as in `labels.csv`.

        Parameters
        ----------
        ids : sequence of str, optional
            Values of the column `id`; by default the row numbers from 0.

        Returns
        -------
        DataFrame
            Columns `id`, `given_label`, `refined_label`, `credibility`, `confidence`, `verdict` ("relabel",
            "outlier", "ambiguous", "trust" or "check"), `is_label_issue`, `label_quality`,
            `is_outlier_issue`, `outlier_score`, `labeled_iter`. None or NaN where nothing is known.
        """
        frame = self._frame.copy()
        frame.insert(0, "id", list(ids) if ids is not None else [str(i) for i in range(len(frame))])
        return frame

    @cached_property
    def _frame(self) -> "pd.DataFrame":
        """The frame without ids."""
        import pandas as pd

        n = len(self.given)
        issues = self.find_label_issues().reindex(range(n))
        is_issue = issues["is_label_issue"].eq(True).to_numpy()
        is_outlier = find_outliers(self.outlier_score, self.given)
        confidence = self.confidence
        unsure = (self.codes < 0) | (confidence < _EVEN)
        rules = [is_issue, is_outlier, unsure, self.is_confident]
        return pd.DataFrame(
            {
                "given_label": _or_none(self.classes, self.given, self.given >= 0),
                "refined_label": _or_none(self.classes, self.codes, self.codes >= 0),
                "credibility": self.credibility.astype(np.float64),
                "confidence": confidence,
                "verdict": np.select(rules, VERDICTS[:-1], default=VERDICTS[-1]),
                "is_label_issue": is_issue,
                "label_quality": issues["label_quality"].to_numpy(dtype=np.float64),
                "is_outlier_issue": is_outlier,
                "outlier_score": self.outlier_score.astype(np.float64),
                "labeled_iter": self.labeled_iter,
            }
        )

    @property
    def is_confident(self) -> np.ndarray:
        """Whether the confidence of each refined label reaches the threshold; never of a blank sample."""
        blank = np.zeros(len(self.given), dtype=bool) if self.blank is None else self.blank
        return np.asarray((self.codes >= 0) & ~blank & (self.confidence >= self.threshold))

    def to_csv(self, ids: Sequence[str] | None = None) -> str:
        """Text of `labels.csv`: the frame of `to_frame`, its numbers rounded.

        Parameters
        ----------
        ids : sequence of str, optional
            Values of the column `id`; by default the row numbers from 0.
        """
        frame = self.to_frame(ids)
        for name in ("credibility", "confidence", "label_quality", "outlier_score"):
            frame[name] = significant(frame[name].to_numpy())
        return str(frame.to_csv(index=False, lineterminator="\n"))


def significant(values: np.ndarray, digits: int = 6) -> np.ndarray:
    """Values rounded to this many significant digits."""
    values = values.astype(np.float64)
    size = np.floor(np.log10(np.abs(values), out=np.zeros_like(values), where=values != 0))
    scale = 10.0 ** (digits - 1 - np.maximum(size, -200))
    return np.asarray(np.round(values * scale) / scale)


def _or_none(classes: np.ndarray, codes: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Labels as objects, None where not known."""
    return _with_marker(classes[np.where(known, codes, 0)].astype(object), ~known, None)


def _with_marker(labels: np.ndarray, unknown: np.ndarray, marker: Any) -> np.ndarray:
    """Labels with a marker where unknown, in their own type if it can hold the marker."""
    numbers = labels.dtype.kind in "iuf" and isinstance(marker, int | float)
    marked = labels.astype(np.result_type(labels.dtype, type(marker)) if numbers else object)
    marked[unknown] = marker if numbers or marker != -1 else None
    return marked
