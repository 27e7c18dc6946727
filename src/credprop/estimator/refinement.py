"""Refined labels in one call, without a classifier."""

from typing import Any

from credprop.estimator.classifier import CCPClassifier
from credprop.estimator.refined import Refined


def refine(X: Any, y: Any, **parameters: Any) -> Refined:  # noqa: N803
    """Refined labels with their credibility, label issues and outliers; no classifier is trained.

    CCP alone judges the labels: there is no trial, and confidences are not calibrated.

    Parameters
    ----------
    X : array-like, images, frame or texts
        All rows, as for `CCPClassifier.fit`.
    y : array-like of shape (n,)
        Labels of any type; -1, None, NaN or "" where there is none.
    **parameters
        Parameters of `CCPClassifier`, by name.

    Returns
    -------
    Refined
        With `labels`, `credibility`, `distributions`, `find_label_issues()` and `to_frame()`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_blobs
    >>> from credprop import refine
    >>> X, truth = make_blobs(90, n_features=4, cluster_std=0.5, random_state=0)
    >>> y = np.where(np.arange(90) < 30, truth, -1)
    >>> y[1] = 0  # wrong: the true class is 2
    >>> refined = refine(X, y, trust_labels=False, budget=0.1, random_state=0)
    >>> refined.labels[:3]
    array([0, 2, 0])
    >>> issues = refined.find_label_issues()
    >>> issues.index[issues.is_label_issue].tolist()
    [1]
    """
    settings = dict(parameters.pop("settings", None) or {}) | {"build": None}
    return CCPClassifier(**parameters, settings=settings).fit(X, y).refined_
