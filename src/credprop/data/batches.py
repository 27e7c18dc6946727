"""Batches of indices: random ones, and ones that hold every class."""

import torch
from jaxtyping import Float, Int
from torch import Tensor


def random_batches(n: int, size: int, generator: torch.Generator) -> list[Int[Tensor, " b"]]:
    """All of 0..n-1 in random order, in batches of at most `size` that differ in size by at most one."""
    order = torch.randperm(n, generator=generator)
    return list(order.tensor_split(_number_of_batches(n, size)))


def balanced_batches(
    q: Float[Tensor, "n k"], size: int, generator: torch.Generator
) -> list[Int[Tensor, " b"]]:
    """Random batches that hold a credible sample of every class that has any, by oversampling.

    Every sample is drawn once; a batch without a class gets one of its credible samples in addition, so a
    batch can grow by the number of classes.
    """
    n, k = q.shape
    batches = random_batches(n, size, generator)
    s, c = q.max(dim=1)
    credible = (s > 0).nonzero()[:, 0]
    by_class = credible[c[credible].argsort(stable=True)]  # credible samples, class after class
    count = torch.bincount(c[credible], minlength=k)  # (k,)
    start = count.cumsum(dim=0) - count

    member_of = torch.empty(n, dtype=torch.long)
    member_of[torch.cat(batches)] = torch.arange(len(batches)).repeat_interleave(
        torch.tensor([len(batch) for batch in batches])
    )
    present = torch.zeros(len(batches), k, dtype=torch.bool)
    present[member_of[credible], c[credible]] = True
    batch, missing = (~present & (count > 0)).nonzero(as_tuple=True)  # in order of batches
    pick = (torch.rand(len(missing), generator=generator) * count[missing]).long()
    extra = by_class[start[missing] + pick]
    extras = extra.split(torch.bincount(batch, minlength=len(batches)).tolist())
    return [torch.cat(pair) for pair in zip(batches, extras, strict=True)]


def _number_of_batches(n: int, size: int) -> int:
    return max(1, -(-n // size))
