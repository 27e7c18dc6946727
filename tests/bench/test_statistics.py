"""Intervals, ranks and tests, by hand and against scipy."""

import itertools

import numpy as np
import pytest
from scipy import stats

from credprop.bench.statistics import holm, interval, is_below, paired_p, ranks


def test_the_interval_of_two_values_by_hand() -> None:
    low, high = interval([0.0, 2.0]) or (0, 0)
    assert (low + high) / 2 == pytest.approx(1)
    assert high - 1 == pytest.approx(12.7062, rel=1e-5)  # t with one degree of freedom, error 1


def test_the_interval_is_that_of_scipy() -> None:
    values = np.random.default_rng(0).normal(size=7).tolist()
    expected = stats.t.interval(0.9, 6, loc=np.mean(values), scale=stats.sem(values))
    assert interval(values, 0.9) == pytest.approx(expected)


def test_one_value_has_no_interval_and_equal_values_have_a_point() -> None:
    assert interval([0.5]) is None
    assert interval([]) is None
    assert interval([0.5, 0.5, 0.5]) == (0.5, 0.5)


def test_the_best_is_first_and_equal_ones_share_their_places() -> None:
    assert ranks([0.5, 0.9, 0.7]) == [3, 1, 2]
    assert ranks([0.9, 0.9, 0.7, 0.9 + 1e-16]) == [2, 2, 4, 2]
    assert ranks([]) == []


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([0.02]) == [0.02]
    assert holm([]) == []


def test_holm_never_changes_the_order_and_never_helps() -> None:
    p = np.random.default_rng(0).uniform(size=20)
    corrected = np.array(holm(p.tolist()))
    assert (corrected >= p).all()
    assert (np.diff(corrected[np.argsort(p)]) >= 0).all()


def test_few_differences_are_tested_exactly() -> None:
    assert paired_p([0.1, 0.2, 0.3, 0.4, 0.5]) == pytest.approx(2 / 2**5)  # all of one sign
    differences = [0.1, -0.2, 0.3, 0.4, 0.5, 0.6]
    places = np.arange(1, 7)
    sums = [sum(places[np.array(signs)]) for signs in itertools.product([True, False], repeat=6)]
    observed = 21 - 2
    exact = np.mean([max(s, 21 - s) >= observed for s in sums])
    assert paired_p(differences) == pytest.approx(exact)


def test_differences_that_are_no_differences_do_not_count() -> None:
    assert paired_p([]) == 1
    assert paired_p([0.0, 1e-17]) == 1
    assert paired_p([0.0, 0.1, 0.2, 0.3, 0.4, 0.5]) == pytest.approx(2 / 2**5)


def test_many_differences_are_tested_as_scipy_does() -> None:
    differences = np.random.default_rng(0).normal(0.2, 1, size=80).round(1)
    expected = stats.wilcoxon(differences[differences != 0]).pvalue
    assert paired_p(differences.tolist()) == pytest.approx(expected)


def test_rounding_alone_is_not_below() -> None:
    assert not is_below(0.3, 0.1 + 0.2)
    assert is_below(0.3, 0.301)
