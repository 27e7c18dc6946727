"""Which given labels are hidden together."""

import torch
from jaxtyping import Int
from torch import Tensor

FOLDS = 4


def make_folds(
    labels: Int[Tensor, " n"],
    *,
    most: int = FOLDS,
    groups: Int[Tensor, " n"] | None = None,
    generator: torch.Generator,
) -> list[Int[Tensor, " h"]]:
    """Labeled rows to hide, fold by fold; empty where no label can be hidden.

    Folds are stratified, and every class keeps a label in each: the only label of a class is never hidden.
    There are as many as a typical class has labels, two at least and `most` at most: hiding one of two labels
    of some classes only would be a trial of uneven classes. Rows of the same group are hidden together.
    """
    units = _units(labels, groups)
    counts = torch.bincount(labels[labels >= 0])
    several = counts[counts > 1]
    if not len(several):
        return []
    folds = _deal(units, labels, min(most, max(2, int(several.median()))), generator)
    return [rows for fold in folds if len(rows := _without_last_labels(fold, labels, counts))]


def _units(labels: Int[Tensor, " n"], groups: Int[Tensor, " n"] | None) -> list[Int[Tensor, " u"]]:
    """Labeled rows that are hidden together: single ones, or those of a group."""
    given = (labels >= 0).nonzero()[:, 0]
    if groups is None:
        return list(given.split(1))
    return [given[groups[given] == group] for group in groups[given].unique()]


def _deal(
    units: list[Int[Tensor, " u"]], labels: Int[Tensor, " n"], count: int, generator: torch.Generator
) -> list[list[Int[Tensor, " u"]]]:
    """Units dealt to folds in a random order, large ones first, each to the fold with least of its class."""
    folds: list[list[Int[Tensor, " u"]]] = [[] for _ in range(count)]
    k = int(labels.max()) + 1
    held = torch.zeros(count, k)
    order = torch.randperm(len(units), generator=generator).tolist()
    for i in sorted(order, key=lambda i: -len(units[i])):
        own = torch.bincount(labels[units[i]], minlength=k)
        load = (held * own).sum(dim=1) * len(labels) + held.sum(dim=1)  # of its classes first, then of all
        fold = int(load.argmin())
        folds[fold].append(units[i])
        held[fold] += own
    return folds


def _without_last_labels(
    fold: list[Int[Tensor, " u"]], labels: Int[Tensor, " n"], counts: Int[Tensor, " k"]
) -> Int[Tensor, " h"]:
    """The rows of a fold, without units that would leave a class no label."""
    kept: list[Int[Tensor, " u"]] = []
    left = counts.clone()
    for unit in fold:
        own = torch.bincount(labels[unit], minlength=len(counts))
        if ((left > own) | (own == 0)).all():
            left = left - own
            kept.append(unit)
    return torch.cat(kept).sort().values if kept else labels.new_empty(0)
