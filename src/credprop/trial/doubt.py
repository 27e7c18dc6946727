"""Doubt in given labels: how likely each is right, and which to call an issue."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from credprop.functional.additions import true_class

FALSE_ALARMS = 0.1  # expected share of right labels among those that are called issues


def label_posterior(b: Float[Tensor, "h k"], labels: Int[Tensor, " h"], eta: float) -> Float[Tensor, "h k"]:
    """Probability of each class of labeled rows, after seeing the given label."""
    return true_class(b, labels, torch.tensor(eta, dtype=b.dtype))


def find_issues(
    posterior: Float[Tensor, "h k"], labels: Int[Tensor, " h"], share: float = FALSE_ALARMS
) -> Bool[Tensor, " h"]:
    """Labels that are probably wrong: as many as keep the expected share of right ones among them in bounds.

    Ordered by the probability that the label is right, the largest number of labels whose mean probability
    is at most `share`; of these, the ones for which another class is more probable.
    """
    quality = posterior.gather(1, labels[:, None])[:, 0]
    order = quality.argsort(stable=True)
    mean = quality[order].cumsum(dim=0) / torch.arange(1, len(labels) + 1)
    found = torch.zeros(len(labels), dtype=torch.bool)
    found[order[: int((mean <= share).sum())]] = True  # the mean rises along the order
    return found & (posterior.argmax(dim=1) != labels)
