"""What keeps the classifier from favoring the classes, or the rows, that are merely many."""

import torch
from jaxtyping import Bool, Float, Num
from torch import Tensor

from credprop.functional.precision import at_least_float32


def balancing_shift(credible: Float[Tensor, " k"], given: Num[Tensor, " k"]) -> Float[Tensor, " k"]:
    """What to add to logits while they learn, so that they come to expect classes halfway between two mixes.

    The log of each class's share of the credibility over the mean of that share and its share of the given
    labels (logit adjustment, Menon et al. 2021): logits that were learned under it expect that mean mix. Zero
    where both mixes are alike, and where one of them is empty. It is log(1/10) at least: what next to nothing
    is known of must not be expected on the word of the given labels alone.
    """
    credible, given = at_least_float32(credible, given.to(credible))
    if not (credible.any() and given.any()):
        return torch.zeros_like(credible)
    share, wanted = credible / credible.sum(), given / given.sum()
    mean = (share + wanted) / 2
    return (share / mean).clamp(min=0.1).where(mean > 0, 1).log()


def balancing_weights(s: Float[Tensor, " n"], given: Bool[Tensor, " n"]) -> Float[Tensor, " n"]:
    """Weights under which rows with a given label count as much as all others together, if they count less.

    `s` is what a row counts by itself, its strength. What all rows count together stays as it is.
    """
    (s,) = at_least_float32(s)
    own, others = s[given].sum(), s[~given].sum()
    if not 0 < own < others:
        return torch.ones_like(s)
    half = (own + others) / 2
    return torch.where(given, half / own, half / others)
