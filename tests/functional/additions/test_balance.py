"""Shifts and weights against closed forms, and their limits."""

import math

import pytest
import torch

from credprop.functional.additions import balancing_shift, balancing_weights


def test_logits_that_were_learned_under_the_shift_expect_the_mean_of_both_mixes() -> None:
    credible, given = torch.tensor([60.0, 30.0, 10.0]).double(), torch.tensor([1, 1, 2])
    learned = (credible / credible.sum()).log() - balancing_shift(credible, given)  # what a bias alone learns
    torch.testing.assert_close(
        learned.softmax(dim=0), torch.tensor([(0.6 + 0.25) / 2, (0.3 + 0.25) / 2, (0.1 + 0.5) / 2]).double()
    )


@pytest.mark.parametrize(
    ("credible", "given"),
    [([6.0, 3.0, 9.0], [2, 1, 3]), ([6.0, 3.0, 0.0], [2, 1, 0]), ([0.0, 0.0], [2, 1]), ([2.0, 1.0], [0, 0])],
    ids=["alike", "alike without one class", "nothing credible", "nothing given"],
)
def test_where_the_mixes_are_alike_or_one_is_unknown_nothing_is_shifted(
    credible: list[float], given: list[int]
) -> None:
    shift = balancing_shift(torch.tensor(credible), torch.tensor(given))
    torch.testing.assert_close(shift, torch.zeros(len(given)))


def test_a_class_without_credibility_is_shifted_by_a_bounded_amount() -> None:
    shift = balancing_shift(torch.tensor([8.0, 0.0]), torch.tensor([1, 1]))
    torch.testing.assert_close(shift, torch.tensor([math.log(1 / 0.75), math.log(0.1)]))


def test_given_labels_count_as_much_as_all_others_and_the_whole_stays_as_it_was() -> None:
    s, given = torch.tensor([1.0, 1.0, 0.5, 0.9, 1.0, 0.0, 0.6]), torch.tensor([1, 1, 0, 0, 0, 0, 0]).bool()
    weight = balancing_weights(s, given)
    torch.testing.assert_close(weight, torch.tensor([1.25] * 2 + [2.5 / 3] * 5))
    assert (weight * s)[given].sum().item() == pytest.approx((weight * s)[~given].sum().item())
    assert (weight * s).sum().item() == pytest.approx(s.sum().item())


@pytest.mark.parametrize("given", [[1, 1, 1], [1, 1, 0], [0, 0, 0]], ids=["all", "most", "none"])
def test_labels_that_count_more_already_or_not_at_all_are_left_as_they_are(given: list[int]) -> None:
    weight = balancing_weights(torch.tensor([1.0, 1.0, 0.5]), torch.tensor(given).bool())
    assert weight.tolist() == [1, 1, 1]


def test_a_class_without_labels_is_shifted_up_and_large_counts_stay_finite() -> None:
    shift = balancing_shift(torch.tensor([1.0, 1.0]).half(), torch.tensor([100_000, 0]))
    torch.testing.assert_close(shift, torch.tensor([math.log(0.5 / 0.75), math.log(2)]))
