"""Cross-validation where some rows have no label: they help to train and are never tested on."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.metrics import get_scorer
from sklearn.model_selection import StratifiedKFold

from credprop.data import encode_labels


class LabeledKFold:
    """Folds over the labeled rows, stratified by class; every training set has all unlabeled rows.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds.
    shuffle : bool, default=True
        Whether to shuffle the labeled rows first.
    random_state : int, RandomState instance or None, default=None
        Seed of the shuffle.
    unlabeled_label : object, default=-1
        What marks unlabeled rows, besides None, NaN and empty text.

    Examples
    --------
    >>> from credprop import LabeledKFold
    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 1, -1, -1, 0, 1]
    >>> for train, test in LabeledKFold(2, shuffle=False).split(X, y):
    ...     print(train.tolist(), test.tolist())
    [2, 3, 4, 5] [0, 1]
    [0, 1, 2, 3] [4, 5]
    """

    def __init__(
        self, n_splits: int = 5, *, shuffle: bool = True, random_state: Any = None, unlabeled_label: Any = -1
    ) -> None:
        self.n_splits, self.shuffle = n_splits, shuffle
        self.random_state, self.unlabeled_label = random_state, unlabeled_label

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:  # noqa: N803
        """Rows to train on and labeled rows to test on, fold by fold.

        Parameters
        ----------
        X : array-like
            Ignored; the folds depend on `y` alone.
        y : array-like of shape (n,)
            Labels, with the marker where there is none.
        groups : object
            Ignored; here for scikit-learn.

        Yields
        ------
        tuple of ndarray
            Row numbers of the training set and of the test set.
        """
        codes = encode_labels(y, self.unlabeled_label).codes
        labeled, unlabeled = np.flatnonzero(codes >= 0), np.flatnonzero(codes < 0)
        folds = StratifiedKFold(
            self.n_splits, shuffle=self.shuffle, random_state=self.random_state if self.shuffle else None
        )
        for train, test in folds.split(labeled, codes[labeled]):
            yield np.sort(np.concatenate([labeled[train], unlabeled])), labeled[test]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803
        """Number of folds.

        Parameters
        ----------
        X, y, groups : object
            Ignored; here for scikit-learn.
        """
        return self.n_splits


def labeled_scorer(scoring: str = "accuracy", unlabeled_label: Any = -1) -> Callable[[Any, Any, Any], float]:
    """Scorer like scikit-learn's of this name that leaves unlabeled rows out.

    Parameters
    ----------
    scoring : str, default="accuracy"
        Name of one of scikit-learn's scorers.
    unlabeled_label : object, default=-1
        What marks unlabeled rows, besides None, NaN and empty text.

    Returns
    -------
    callable
        `score(estimator, X, y)`, as `cross_val_score` and `GridSearchCV` take for `scoring`.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from credprop import labeled_scorer
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, -1]
    >>> always_0 = DummyClassifier(strategy="constant", constant=0).fit(X, y)
    >>> labeled_scorer()(always_0, X, [0, 1, -1, -1])  # right on one of two labeled rows
    0.5
    """
    scorer = get_scorer(scoring)

    def score(estimator: Any, X: Any, y: Any) -> float:  # noqa: N803
        found = encode_labels(y, unlabeled_label)
        rows = np.flatnonzero(found.codes >= 0)
        chosen = X.iloc[rows] if hasattr(X, "iloc") else np.asarray(X)[rows]
        return float(scorer(estimator, chosen, found.classes[found.codes[rows]]))

    return score
