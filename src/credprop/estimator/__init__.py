"""The scikit-learn side: a classifier, refined labels without one, cross-validation with unlabeled rows."""

from credprop.estimator.baseline import labels_alone
from credprop.estimator.classifier import CCPClassifier, refine
from credprop.estimator.fit_inputs import Ready, make_ready
from credprop.estimator.model_selection import LabeledKFold, labeled_scorer
from credprop.estimator.refined import Refined

__all__ = [
    "CCPClassifier",
    "LabeledKFold",
    "Ready",
    "Refined",
    "labeled_scorer",
    "labels_alone",
    "make_ready",
    "refine",
]
