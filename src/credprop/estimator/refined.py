"""Refined labels, label issues and outliers of every sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from credprop.ccp import Result
from credprop.data import LabelCodes
from credprop.estimator.outliers import find_outliers, outlier_scores
from credprop.functional import strength

if TYPE_CHECKING:
    import pandas as pd

VERDICTS = ("trust", "relabel", "outlier", "ambiguous")


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

    @property
    def credibility(self) -> np.ndarray:
        """Strength of each refined label, 0..1; 0 where there is none."""
        return np.asarray(strength(torch.from_numpy(self.q)))

    @property
    def labels(self) -> np.ndarray:
        """Refined label of every sample; `unlabeled_label` where nothing is known."""
        labels: np.ndarray = self.classes[self.q.argmax(axis=1)]
        unknown = self.credibility == 0
        if not unknown.any():
            return labels
        return _with_marker(labels, unknown, self.unlabeled_label)

    @property
    def distributions(self) -> np.ndarray:
        """Class probabilities of every sample: its credibility, the rest spread evenly over the classes."""
        q = self.q.astype(np.float64)
        share = self.credibility[:, None]
        total = q.sum(axis=1, keepdims=True)
        return share * q / np.where(total > 0, total, 1) + (1 - share) / len(self.classes)

    def find_label_issues(self) -> "pd.DataFrame":
        """One row per given label, with cleanlab's columns.

        Returns
        -------
        DataFrame
            Indexed by the row of the sample. `is_label_issue`: the other samples support another class.
            `label_quality`: their opinion of the given class, scaled to 0..1; lower is worse. `given_label`
            and `predicted_label`: the label itself, and the class that the others support.
        """
        import pandas as pd

        rows = np.flatnonzero(self.given >= 0)
        opinion, given = self.opinion[rows], self.given[rows]
        named = np.where(
            opinion.any(axis=1), opinion.argmax(axis=1), given
        )  # no opinion names no other class
        largest = np.abs(opinion).max(initial=0) or 1.0
        about_given = opinion[np.arange(len(rows)), given] / largest
        return pd.DataFrame(
            {
                "is_label_issue": (named != given) & (opinion.max(axis=1, initial=-1) > 0),
                "label_quality": (1 + about_given.astype(np.float64)) / 2,
                "given_label": self.classes[given],
                "predicted_label": self.classes[named],
            },
            index=rows,
        )

    def to_frame(self, ids: Sequence[str] | None = None) -> "pd.DataFrame":
        """One row per sample: labels, credibility, verdict and what they rest on, as in `labels.csv`.

        Parameters
        ----------
        ids : sequence of str, optional
            Values of the column `id`; by default the row numbers from 0.

        Returns
        -------
        DataFrame
            Columns `id`, `given_label`, `refined_label`, `credibility`, `verdict` ("trust", "relabel",
            "outlier" or "ambiguous"), `is_label_issue`, `label_quality`, `is_outlier_issue`, `outlier_score`,
            `labeled_iter`. None or NaN where nothing is known.
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
        known = self.credibility > 0
        # A network that learned from the given labels only places all other samples far from these.
        spread = bool(known[self.given < 0].any())
        is_outlier = find_outliers(self.outlier_score, self.given) & spread
        verdict = np.select([is_issue, is_outlier, ~known], VERDICTS[1:], default=VERDICTS[0])
        return pd.DataFrame(
            {
                "given_label": _or_none(self.classes, self.given, self.given >= 0),
                "refined_label": _or_none(self.classes, self.q.argmax(axis=1), known),
                "credibility": self.credibility.astype(np.float64),
                "verdict": verdict,
                "is_label_issue": is_issue,
                "label_quality": issues["label_quality"].to_numpy(dtype=np.float64),
                "is_outlier_issue": is_outlier,
                "outlier_score": self.outlier_score.astype(np.float64),
                "labeled_iter": self.labeled_iter,
            }
        )

    def to_csv(self, ids: Sequence[str] | None = None) -> str:
        """Text of `labels.csv`: the frame of `to_frame`, its numbers rounded.

        Parameters
        ----------
        ids : sequence of str, optional
            Values of the column `id`; by default the row numbers from 0.
        """
        frame = self.to_frame(ids)
        for name in ("credibility", "label_quality", "outlier_score"):
            frame[name] = significant(frame[name].to_numpy())
        return str(frame.to_csv(index=False, lineterminator="\n"))


def significant(values: np.ndarray, digits: int = 6) -> np.ndarray:
    """Values rounded to this many significant digits."""
    values = values.astype(np.float64)
    size = np.floor(np.log10(np.abs(values), out=np.zeros_like(values), where=values != 0))
    scale = 10.0 ** (digits - 1 - np.maximum(size, -200))
    return np.asarray(np.round(values * scale) / scale)


def refined_from(
    result: Result, codes: LabelCodes, embedding: Float[Tensor, "n d"], unlabeled_label: Any
) -> Refined:
    """What a run found for every sample."""
    return Refined(
        classes=codes.classes,
        given=codes.codes,
        q=result.q.clamp(0, 1).numpy(),
        opinion=result.opinion.numpy(),
        outlier_score=outlier_scores(embedding, codes.codes),
        labeled_iter=result.labeled_iter.numpy(),
        unlabeled_label=unlabeled_label,
    )


def _or_none(classes: np.ndarray, codes: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Labels as objects, None where not known."""
    return _with_marker(classes[np.where(known, codes, 0)].astype(object), ~known, None)


def _with_marker(labels: np.ndarray, unknown: np.ndarray, marker: Any) -> np.ndarray:
    """Labels with a marker where unknown, in their own type if it can hold the marker."""
    numbers = labels.dtype.kind in "iuf" and isinstance(marker, int | float)
    marked = labels.astype(np.result_type(labels.dtype, type(marker)) if numbers else object)
    marked[unknown] = marker if numbers or marker != -1 else None
    return marked
