"""The mathematics of what credprop adds to the paper, as pure as the paper's own."""

from credprop.functional.additions.balance import balancing_shift, balancing_weights
from credprop.functional.additions.blend import blend, label_likelihood, true_class
from credprop.functional.additions.label_regression import (
    agreement,
    left_out_scores,
    mix,
    ridge_inverse,
)
from credprop.functional.additions.linear_model import fit_linear
from credprop.functional.additions.mixture import nearest_neighbors, transductive_mixture
from credprop.functional.additions.settling import half_whitening, more_often_right, rounds_of_propagation

__all__ = [
    "agreement",
    "balancing_shift",
    "balancing_weights",
    "blend",
    "fit_linear",
    "half_whitening",
    "label_likelihood",
    "left_out_scores",
    "mix",
    "more_often_right",
    "nearest_neighbors",
    "ridge_inverse",
    "rounds_of_propagation",
    "transductive_mixture",
    "true_class",
]
