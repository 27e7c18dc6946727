"""The scikit-learn interface: classifier, refined labels, cross-validation with unlabeled rows."""

from credprop.estimator.baseline import fit_supervised_baseline
from credprop.estimator.classifier import CCPClassifier
from credprop.estimator.fit_inputs import FitInputs, make_fit_inputs
from credprop.estimator.model_selection import LabeledKFold, labeled_scorer
from credprop.estimator.refined import Refined
from credprop.estimator.refinement import refine

__all__ = [
    "CCPClassifier",
    "FitInputs",
    "LabeledKFold",
    "Refined",
    "fit_supervised_baseline",
    "labeled_scorer",
    "make_fit_inputs",
    "refine",
]
