"""The scikit-learn side: a classifier, refined labels without one, cross-validation with unlabeled rows."""

from credprop.estimator.classifier import CCPClassifier, refine
from credprop.estimator.refined import Refined
from credprop.estimator.selection import LabeledKFold, labeled_scorer

__all__ = ["CCPClassifier", "LabeledKFold", "Refined", "labeled_scorer", "refine"]
