"""The mathematics of what credprop adds to the paper, as pure as the paper's own."""

from credprop.functional.additions.balance import balancing_shift, balancing_weights
from credprop.functional.additions.label_regression import (
    agreement,
    left_out_scores,
    mix,
    ridge_inverse,
    shuffle_p_value,
)
from credprop.functional.additions.settling import half_whitening, more_often_right, rounds_of_propagation

__all__ = [
    "agreement",
    "balancing_shift",
    "balancing_weights",
    "half_whitening",
    "left_out_scores",
    "mix",
    "more_often_right",
    "ridge_inverse",
    "rounds_of_propagation",
    "shuffle_p_value",
]
