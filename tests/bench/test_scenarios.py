"""Sixteen cells with the numbers of the paper, and the same rules on data of any size."""

import numpy as np
import pytest

from credprop.bench import Rules, Scenario, choose_scenarios, class_counts, scenarios

NAMES = ["few-label", "open-set", "noisy-label", "imbalanced-unlabeled", "imbalanced-labeled"]


def by_cell(counts: list[int], rules: Rules | None = None) -> dict[str, Scenario]:
    return {scenario.cell: scenario for scenario in scenarios(counts, rules)}


def test_there_are_sixteen_cells_in_the_order_of_the_table() -> None:
    assert list(by_cell([5000] * 10)) == ["base", *(f"{name}-{i}" for name in NAMES for i in (1, 2, 3))]


CIFAR10 = {  # labels, unlabeled, wrong; the first four classes are ID
    "base": ([400] * 4, [4600] * 4 + [0] * 6, 0),
    "few-label-1": ([25] * 4, [4975] * 4 + [0] * 6, 0),
    "few-label-2": ([4] * 4, [4996] * 4 + [0] * 6, 0),
    "few-label-3": ([2] * 4, [4998] * 4 + [0] * 6, 0),
    "open-set-1": ([400] * 4, [4600] * 4 + [5000] * 2 + [0] * 4, 0),
    "open-set-2": ([400] * 4, [4600] * 4 + [5000] * 4 + [0] * 2, 0),
    "open-set-3": ([400] * 4, [4600] * 4 + [5000] * 6, 0),
    "noisy-label-1": ([400] * 4, [4600] * 4 + [0] * 6, 320),
    "noisy-label-2": ([400] * 4, [4600] * 4 + [0] * 6, 640),
    "noisy-label-3": ([400] * 4, [4600] * 4 + [0] * 6, 960),
    "imbalanced-unlabeled-1": ([400] * 4, [4600] * 2 + [920] * 2 + [0] * 6, 0),
    "imbalanced-unlabeled-2": ([400] * 4, [4600] * 2 + [460] * 2 + [0] * 6, 0),
    "imbalanced-unlabeled-3": ([400] * 4, [4600] * 2 + [0] * 2 + [0] * 6, 0),
    "imbalanced-labeled-1": ([400] * 2 + [25] * 2, [4600] * 4 + [0] * 6, 0),
    "imbalanced-labeled-2": ([400] * 2 + [4] * 2, [4600] * 4 + [0] * 6, 0),
    "imbalanced-labeled-3": ([400] * 2 + [2] * 2, [4600] * 4 + [0] * 6, 0),
}


@pytest.mark.parametrize("cell", CIFAR10)
def test_cifar_10_has_the_numbers_of_the_paper(cell: str) -> None:
    labels, unlabeled, wrong = CIFAR10[cell]
    scenario = by_cell([5000] * 10)[cell]
    assert scenario.k == 4
    assert scenario.labels == (*labels, *[0] * 6)
    assert scenario.unlabeled == tuple(unlabeled)
    assert scenario.wrong == wrong


CIFAR100 = {
    "base": ([100] * 40, [400] * 40 + [0] * 60, 0),
    "few-label-1": ([25] * 40, [475] * 40 + [0] * 60, 0),
    "few-label-2": ([4] * 40, [496] * 40 + [0] * 60, 0),
    "few-label-3": ([2] * 40, [498] * 40 + [0] * 60, 0),
    "open-set-1": ([100] * 40, [400] * 40 + [500] * 20 + [0] * 40, 0),
    "open-set-2": ([100] * 40, [400] * 40 + [500] * 40 + [0] * 20, 0),
    "open-set-3": ([100] * 40, [400] * 40 + [500] * 60, 0),
    "noisy-label-1": ([100] * 40, [400] * 40 + [0] * 60, 800),
    "noisy-label-2": ([100] * 40, [400] * 40 + [0] * 60, 1600),
    "noisy-label-3": ([100] * 40, [400] * 40 + [0] * 60, 2400),
    "imbalanced-unlabeled-1": ([100] * 40, [400] * 20 + [80] * 20 + [0] * 60, 0),
    "imbalanced-unlabeled-2": ([100] * 40, [400] * 20 + [40] * 20 + [0] * 60, 0),
    "imbalanced-unlabeled-3": ([100] * 40, [400] * 20 + [0] * 80, 0),
    "imbalanced-labeled-1": ([100] * 20 + [25] * 20, [400] * 40 + [0] * 60, 0),
    "imbalanced-labeled-2": ([100] * 20 + [4] * 20, [400] * 40 + [0] * 60, 0),
    "imbalanced-labeled-3": ([100] * 20 + [2] * 20, [400] * 40 + [0] * 60, 0),
}


@pytest.mark.parametrize("cell", CIFAR100)
def test_cifar_100_has_the_numbers_of_the_paper(cell: str) -> None:
    labels, unlabeled, wrong = CIFAR100[cell]
    scenario = by_cell([500] * 100)[cell]
    assert scenario.k == 40
    assert scenario.labels == (*labels, *[0] * 60)
    assert scenario.unlabeled == tuple(unlabeled)
    assert scenario.wrong == wrong


def test_digits_are_too_few_for_eight_percent() -> None:
    cells = by_cell([125, 127, 124, 128, 127, 127, 127, 125, 122, 126])
    assert cells["base"].labels == (20, 20, 20, 20, 0, 0, 0, 0, 0, 0)
    assert cells["base"].unlabeled == (105, 107, 104, 108, 0, 0, 0, 0, 0, 0)
    assert cells["few-label-1"].labels[:4] == (10, 10, 10, 10)  # half of the base case
    assert cells["imbalanced-labeled-1"].labels[:4] == (20, 20, 10, 10)
    assert cells["imbalanced-unlabeled-1"].unlabeled[:4] == (105, 107, 21, 22)
    assert [cells[f"noisy-label-{i}"].wrong for i in (1, 2, 3)] == [16, 32, 48]
    assert cells["open-set-3"].unlabeled == (105, 107, 104, 108, 127, 127, 127, 125, 122, 126)


@pytest.mark.parametrize(
    ("classes", "k", "outliers", "halved"),
    [
        (2, 2, None, 1),
        (3, 3, None, 1),
        (5, 5, None, 2),
        (7, 7, None, 3),
        (8, 3, (2, 3, 5), 1),
        (9, 3, (2, 4, 6), 1),
        (10, 4, (2, 4, 6), 2),
        (14, 5, (3, 6, 9), 2),
        (15, 6, (3, 6, 9), 3),
        (20, 8, (4, 8, 12), 4),
    ],
)
def test_the_number_of_classes_decides_the_outlier_classes(
    classes: int, k: int, outliers: tuple[int, ...] | None, halved: int
) -> None:
    cells = by_cell([1000] * classes)
    assert len(cells) == (16 if outliers else 13)
    assert {scenario.k for scenario in cells.values()} == {k}
    assert cells["imbalanced-labeled-3"].labels.count(2) == halved
    assert cells["imbalanced-unlabeled-3"].unlabeled[:k].count(0) == halved
    assert cells["imbalanced-labeled-3"].labels[k - halved : k] == (2,) * halved  # the last ones
    if outliers:
        joined = [sum(n > 0 for n in cells[f"open-set-{i}"].unlabeled[k:]) for i in (1, 2, 3)]
        assert tuple(joined) == outliers
        assert cells["open-set-1"].unlabeled[k] == 1000


def test_two_classes_get_half_the_noise() -> None:
    cells = by_cell([1000, 500])
    assert cells["base"].labels == (80, 40)
    assert [cells[f"noisy-label-{i}"].wrong for i in (1, 2, 3)] == [12, 24, 36]


@pytest.mark.parametrize(
    ("n", "base", "few"),
    [
        (10_000, 800, (25, 4, 2)),
        (500, 40, (20, 4, 2)),
        (260, 21, (10, 4, 2)),
        (40, 20, (10, 4, 2)),
        (30, 15, (7, 4, 2)),
        (5, 2, (1, 2, 2)),
        (2, 1, (1, 1, 1)),
    ],
)
def test_labels_of_a_class_are_at_least_twenty_and_at_most_half(
    n: int, base: int, few: tuple[int, ...]
) -> None:
    cells = by_cell([n, 1000, 1000])
    assert cells["base"].labels[0] == base
    assert tuple(cells[f"few-label-{i}"].labels[0] for i in (1, 2, 3)) == few
    assert all(s.labels[0] + s.unlabeled[0] <= n for s in cells.values())


def test_five_hundred_rows_a_class_are_cifar_100_only_with_a_hundred_classes() -> None:
    assert by_cell([500] * 10)["base"].labels[0] == 40


def test_rules_can_be_changed() -> None:
    rules = Rules(known=50, base=10, base_least=1, few=(5, 3, 1), noise=(10, 50, 90), kept=(50, 25, 5))
    cells = by_cell([100] * 8, rules)
    assert cells["base"].k == 4
    assert cells["base"].labels[:4] == (10, 10, 10, 10)
    assert [cells[f"few-label-{i}"].labels[0] for i in (1, 2, 3)] == [5, 3, 1]
    assert [cells[f"noisy-label-{i}"].wrong for i in (1, 2, 3)] == [4, 20, 36]
    assert cells["imbalanced-unlabeled-3"].unlabeled[:4] == (90, 90, 4, 4)


@pytest.mark.parametrize("counts", [[100], [100, 1], []])
def test_too_little_data_is_refused(counts: list[int]) -> None:
    with pytest.raises(ValueError, match="at least two classes"):
        scenarios(counts)


def test_scenarios_are_chosen_by_all_by_name_or_by_cell() -> None:
    counts = [1000] * 10
    assert choose_scenarios(counts, ["all"]) == scenarios(counts)
    chosen = choose_scenarios(counts, ["noisy-label-2", "few-label", "base", "few-label-1"])
    assert [s.cell for s in chosen] == ["base", "few-label-1", "few-label-2", "few-label-3", "noisy-label-2"]


def test_unknown_and_impossible_scenarios_are_refused_with_what_there_is() -> None:
    with pytest.raises(ValueError, match="unknown scenario 'few'; use all, base, few-label, open"):
        choose_scenarios([1000] * 10, ["few"])
    with pytest.raises(ValueError, match="needs at least 8 classes"):
        choose_scenarios([1000] * 4, ["open-set-1"])


def test_cells_by_their_number_of_labels_learn_all_classes() -> None:
    wanted = ["labels-2", "labels-5%", "base", "labels-2"]
    base, two, share = choose_scenarios([100, 50, 10], wanted)
    assert (base.cell, two.cell, share.cell) == ("base", "labels-2", "labels-5%")
    assert (two.k, two.labels, two.unlabeled) == (3, (2, 2, 2), (98, 48, 8))
    assert (share.k, share.labels, share.unlabeled) == (3, (5, 2, 1), (95, 48, 9))  # one label at least
    (most,) = choose_scenarios([100, 50, 10], ["labels-70"])
    assert most.labels == (70, 49, 9)


@pytest.mark.parametrize("name", ["labels-", "labels-0", "labels-x", "labels-5%%", "labels--1", "labels-1.5"])
def test_what_is_no_number_of_labels_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown scenario '{name}'"):
        choose_scenarios([100, 50], [name])


def test_classes_are_counted_in_their_order() -> None:
    assert class_counts(np.array(["10", "9", "9", "-1", "10", "10"])) == [1, 2, 3]
    assert class_counts(np.array(["b", "10", "9"])) == [1, 1, 1]
