"""Which labels are hidden together."""

import pytest
import torch
from torch import Tensor

from credprop.trial.folds import make_folds


def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def labeled(*counts: int, unlabeled: int = 5) -> Tensor:
    """So many labels of each class, in a fixed random order, and unlabeled rows between them."""
    labels = [c for c, count in enumerate(counts) for _ in range(count)] + [-1] * unlabeled
    return torch.tensor(labels)[torch.randperm(len(labels), generator=torch.Generator().manual_seed(1))]


@pytest.mark.parametrize("counts", [(8, 8, 8), (20, 3, 7), (2, 2), (5, 1, 4), (40, 2)])
def test_every_label_is_hidden_once_and_every_class_keeps_one(counts: tuple[int, ...]) -> None:
    labels = labeled(*counts)
    folds = make_folds(labels, generator=generator())
    hidden = torch.cat(folds)
    assert len(hidden.unique()) == len(hidden)
    assert (labels[hidden] >= 0).all()
    for fold in folds:
        left = labels.index_fill(0, fold, -1)
        assert set(left[left >= 0].tolist()) == set(range(len(counts)))
    singles = sum(count == 1 for count in counts)
    assert len(hidden) == sum(counts) - singles


def test_the_only_label_of_a_class_is_never_hidden() -> None:
    labels = torch.tensor([0, 1, 1, 1, -1])
    assert 0 not in torch.cat(make_folds(labels, generator=generator())).tolist()
    assert make_folds(torch.tensor([0, 1, 2, -1, -1]), generator=generator()) == []


def test_folds_are_stratified() -> None:
    labels = labeled(20, 12)
    for fold in make_folds(labels, most=4, generator=generator()):
        assert torch.bincount(labels[fold]).tolist() == [5, 3]


@pytest.mark.parametrize(("per_class", "folds"), [(2, 2), (3, 3), (10, 4)])
def test_there_are_as_many_folds_as_a_typical_class_has_labels_up_to_the_most(
    per_class: int, folds: int
) -> None:
    assert len(make_folds(labeled(per_class, per_class), most=4, generator=generator())) == folds


def test_rows_of_a_group_are_hidden_together() -> None:
    labels = torch.tensor([0, 0, 0, 0, 1, 1, 1, 1, -1, -1])
    groups = torch.tensor([0, 0, 1, 2, 3, 3, 4, 5, 0, 6])
    folds = make_folds(labels, most=2, groups=groups, generator=generator())
    for group in range(6):
        rows = set(((groups == group) & (labels >= 0)).nonzero()[:, 0].tolist())
        assert sum(bool(rows & set(fold.tolist())) for fold in folds) == 1
        assert any(rows <= set(fold.tolist()) for fold in folds)


def test_a_group_with_all_labels_of_a_class_is_never_hidden() -> None:
    labels, groups = torch.tensor([0, 0, 1, 1, 1]), torch.tensor([0, 0, 1, 2, 3])
    hidden = torch.cat(make_folds(labels, groups=groups, generator=generator())).tolist()
    assert not {0, 1} & set(hidden)
    assert hidden


def test_the_same_generator_deals_the_same_folds() -> None:
    labels = labeled(9, 9)
    first, second = (make_folds(labels, generator=generator()) for _ in range(2))
    assert [fold.tolist() for fold in first] == [fold.tolist() for fold in second]
