"""Cross-validation where some rows have no label: they help to train and are never tested on."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.model_selection import StratifiedKFold

from credprop.data import encode_labels


class LabeledKFold:
    """Folds over the labeled rows, stratified by class; every unlabeled row is in every training side.

    Parameters
    ----------
    n_splits : int, default=5
    shuffle : bool, default=True
    random_state : int, RandomState instance or None, default=None
    unlabeled_label : object, default=-1
        What marks unlabeled rows, besides None, NaN and empty text.
    """

    def __init__(
        self, n_splits: int = 5, *, shuffle: bool = True, random_state: Any = None, unlabeled_label: Any = -1
    ) -> None:
        self.n_splits, self.shuffle = n_splits, shuffle
        self.random_state, self.unlabeled_label = random_state, unlabeled_label

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:  # noqa: N803
        """Rows to train on and labeled rows to test on, fold after fold."""
        codes = encode_labels(y, self.unlabeled_label).codes
        labeled, unlabeled = np.flatnonzero(codes >= 0), np.flatnonzero(codes < 0)
        folds = StratifiedKFold(
            self.n_splits, shuffle=self.shuffle, random_state=self.random_state if self.shuffle else None
        )
        for train, test in folds.split(labeled, codes[labeled]):
            yield np.sort(np.concatenate([labeled[train], unlabeled])), labeled[test]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """Number of folds."""
        return self.n_splits


def labeled_scorer(scoring: str = "accuracy", unlabeled_label: Any = -1) -> Callable[[Any, Any, Any], float]:
    """A scorer like scikit-learn's of this name that leaves unlabeled rows out."""
    scorer = get_scorer(scoring)

    def score(estimator: Any, X: Any, y: Any) -> float:  # noqa: N803
        found = encode_labels(y, unlabeled_label)
        rows = np.flatnonzero(found.codes >= 0)
        chosen = X.iloc[rows] if hasattr(X, "iloc") else np.asarray(X)[rows]
        return float(scorer(estimator, chosen, found.classes[found.codes[rows]]))

    return score
