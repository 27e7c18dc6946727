"""What the classifier is taught: the credibility that the iterations ended with, made fit for it."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.ccp.settings import Settings
from credprop.functional import balancing_shift, balancing_weights, strength


@dataclass(frozen=True, eq=False)
class Lesson:
    """Vectors and weights of all samples, and a shift of the logits, on the CPU."""

    q: Float[Tensor, "n k"]
    weight: Float[Tensor, " n"]  # in L_CLS
    shift: Float[Tensor, " k"]  # in L_CLS
    agreed: float | None = None  # how far the vectors agreed with a second opinion, if there was one


def prepare_lesson(
    q: Float[Tensor, "n k"],
    labels: Int[Tensor, " n"],
    clamped: Bool[Tensor, " n"],
    settings: Settings,
    agreed: float | None = None,
) -> Lesson:
    """The lesson from these vectors; without any of the settings for it, the vectors as they are.

    The shift comes last, from the mix that the classifier would learn without it.
    """
    n, k = q.shape
    weight, shift = q.new_ones(n), q.new_zeros(k)
    if settings.square_final:
        q = q * strength(q)[:, None]
    if settings.balance_labels:
        weight = balancing_weights(strength(q), clamped)
    if settings.balance_classes:
        shift = balancing_shift(weight @ q, torch.bincount(labels[labels >= 0], minlength=k))
    return Lesson(q, weight, shift, agreed)
