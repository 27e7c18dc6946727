"""The paper's mathematics as pure functions: tensors in, tensors out, batch first.

A batch of two views holds the first view of all samples, then the second.
"""

from credprop.functional.credibility import adjust, initial_credibility, single_class, strength
from credprop.functional.iteration import consolidate, mean_of_draws, ranking
from credprop.functional.losses import simclr_loss, soft_contrastive_loss, soft_cross_entropy
from credprop.functional.propagation import (
    class_similarity,
    class_similarity_of_views,
    mean_of_views,
    propagate,
)
from credprop.functional.similarity import angular_similarity, similarity_to
from credprop.functional.subsampling import choose_p, divergence, subsample
from credprop.functional.views import contrast_views

__all__ = [
    "adjust",
    "angular_similarity",
    "choose_p",
    "class_similarity",
    "class_similarity_of_views",
    "consolidate",
    "contrast_views",
    "divergence",
    "initial_credibility",
    "mean_of_draws",
    "mean_of_views",
    "propagate",
    "ranking",
    "simclr_loss",
    "similarity_to",
    "single_class",
    "soft_contrastive_loss",
    "soft_cross_entropy",
    "strength",
    "subsample",
]
