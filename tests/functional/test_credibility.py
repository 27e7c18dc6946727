"""First credibility, adjustment and strength."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import oracles
from credprop.functional import adjust, initial_credibility, single_class, strength
from functional.conftest import dense_credibility, sparse_credibility


def test_labels_are_one_hot_and_unlabeled_samples_know_nothing() -> None:
    q = initial_credibility(torch.tensor([2, -1, 0]), 3)
    assert q.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]


def test_a_guess_is_adjusted_and_clipped_and_gives_way_to_a_label() -> None:
    guesses = torch.tensor([[0.7, 0.2, 0.1], [0.5, 0.5, 0.0], [0.9, 0.1, 0.0]], dtype=torch.float64)
    q = initial_credibility(torch.tensor([-1, -1, 1]), 3, guesses)
    expected = torch.tensor([[0.5, 0, 0], [0, 0, 0], [0, 1, 0]], dtype=torch.float64)
    torch.testing.assert_close(q, expected)


def test_the_papers_example_of_two_similar_classes() -> None:
    v = torch.tensor([[0.99, 0.98]], dtype=torch.float64)
    torch.testing.assert_close(adjust(v), torch.tensor([[0.01, -0.01]], dtype=torch.float64))
    torch.testing.assert_close(adjust(v).clamp(0, 1), torch.tensor([[0.01, 0.0]], dtype=torch.float64))


def test_adjustment_is_against_the_best_other_class() -> None:
    v = torch.tensor([[3.0, 1.0, 2.0], [5.0, 5.0, 1.0]])
    assert adjust(v).tolist() == [[1, -2, -1], [0, 0, -4]]


@settings(deadline=None)
@given(n=st.integers(1, 10), k=st.integers(2, 9), seed=st.integers(0, 1000))
def test_adjustment_equals_the_equation_and_leaves_at_most_one_positive_entry(
    n: int, k: int, seed: int
) -> None:
    v = dense_credibility(n, k, seed).sub(0.3).mul(4).round(decimals=1)  # rounded, for ties
    result = adjust(v)
    expected = torch.tensor([oracles.adjust(row) for row in v.tolist()], dtype=torch.float64)
    torch.testing.assert_close(result, expected)
    assert ((result > 0).sum(dim=1) <= 1).all()


def test_strength_is_the_largest_clipped_entry() -> None:
    q = torch.tensor([[0.2, 0.7], [-0.5, -0.1], [0.0, 1.5]])
    torch.testing.assert_close(strength(q), torch.tensor([0.7, 0.0, 1.0]))


def test_a_class_and_a_strength_say_all_of_a_clipped_vector() -> None:
    q = sparse_credibility(20, 5)
    single = single_class(q)
    assert single is not None
    c, s = single
    torch.testing.assert_close(torch.nn.functional.one_hot(c, 5) * s[:, None], q)


def test_a_vector_with_two_classes_has_no_single_class() -> None:
    q: Tensor = torch.tensor([[0.5, 0.0, 0.0], [0.1, 0.0, 0.2]])
    assert single_class(q) is None
    assert single_class(q[:1]) is not None
