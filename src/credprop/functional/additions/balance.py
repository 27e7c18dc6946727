"""What keeps the classifier from favoring the classes, or the rows, that are merely many."""

import torch
from jaxtyping import Bool, Float, Num
from torch import Tensor

from credprop.functional.precision import at_least_float32


def balancing_shift(credible: Float[Tensor, " k"], given: Num[Tensor, " k"]) -> Float[Tensor, " k"]:
    """What to add to logits while they learn, so that they come to expect classes halfway between two mixes.

        log(a_k / ((a_k + b_k) / 2))

    with shares a of the credibility and b of the given labels (logit adjustment, Menon et al. 2021): logits
    that learned these vectors under it expect the mean mix once it is gone. Zero where both mixes are alike,
    and where one of them is empty. It is log(1/10) at least: a class of which next to nothing is known must
    not be expected on the word of the given labels alone.
    """
    (credible,) = at_least_float32(credible)
    given = given.to(credible)
    if not (credible.any() and given.any()):
        return torch.zeros_like(credible)
    a, b = credible / credible.sum(), given / given.sum()
    mean = (a + b) / 2
    return (a / mean).clamp(min=0.1).where(mean > 0, 1).log()


def balancing_weights(s: Float[Tensor, " n"], clamped: Bool[Tensor, " n"]) -> Float[Tensor, " n"]:
    """Weights under which clamped rows count as much as all others together, if they count less.

    `s` is what a row counts by itself, its strength. What all rows count together stays as it is.
    """
    (s,) = at_least_float32(s)
    own, others = s[clamped].sum(), s[~clamped].sum()
    if not 0 < own < others:
        return torch.ones_like(s)
    half = (own + others) / 2
    return torch.where(clamped, half / own, half / others)
