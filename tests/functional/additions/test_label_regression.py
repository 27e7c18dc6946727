"""The regression on labels against refits; agreement and mixture by hand and in their limits."""

import numpy as np
import pytest
import torch

import oracles
from credprop.functional import adjust, angular_similarity, similarity_to, strength
from credprop.functional.additions import agreement, mix, ridge_inverse
from credprop.functional.additions.label_regression import RIDGES
from functional.conftest import embeddings


def refitted(phi: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The regression with each label left out and solved again, for every ridge."""
    errors = []
    for ridge in RIDGES:
        error = 0.0
        for i in range(len(y)):
            rest = [j for j in range(len(y)) if j != i]
            c = np.linalg.solve(phi[np.ix_(rest, rest)] + ridge * np.eye(len(rest)), y[rest])
            error += ((phi[i, rest] @ c - y[i]) ** 2).sum()
        errors.append(error)
    ridge = RIDGES[int(np.argmin(errors))]
    return np.linalg.solve(phi + ridge * np.eye(len(y)), y)


@pytest.mark.parametrize("noise", [0.1, 1.0, 3.0])
def test_the_regression_is_the_one_that_predicts_labels_left_out_best(noise: float) -> None:
    labels = torch.arange(30) % 3
    z = 2 * torch.nn.functional.one_hot(labels, 5) + noise * embeddings(30)
    phi = angular_similarity(z)
    y = torch.eye(3).double()[labels]
    expected = refitted(phi.numpy(), y.numpy())
    torch.testing.assert_close(ridge_inverse(phi, y) @ y, torch.from_numpy(expected))


def test_the_noisier_the_labels_the_smoother_the_regression() -> None:
    labels = torch.arange(60) % 2
    z = 3 * torch.nn.functional.one_hot(labels, 5) + embeddings(60)
    wrong = labels.where(torch.arange(60) >= 20, 1 - labels)
    phi, right_y, wrong_y = angular_similarity(z), torch.eye(2).double()[labels], torch.eye(2).double()[wrong]
    right_scores, wrong_scores = (phi @ ridge_inverse(phi, y) @ y for y in (right_y, wrong_y))
    assert (right_scores.argmax(dim=1) == labels).all()
    assert (wrong_scores.argmax(dim=1) == labels).double().mean() > 0.7  # of its labels 2 of 3 are
    assert strength(adjust(wrong_scores)).mean() < strength(adjust(right_scores)).mean()


def test_similarity_to_others_is_a_block_of_the_similarity_of_all() -> None:
    z = embeddings(9)
    whole = torch.tensor(oracles.angular_similarity(z.tolist()), dtype=torch.float64)
    torch.testing.assert_close(similarity_to(z[:4], z[4:]), whole[:4, 4:])
    assert similarity_to(torch.zeros_like(z), z).eq(0.5).all()


def named(*classes: int, k: int = 3) -> torch.Tensor:
    """A vector a row of strength one half; of zeros for -1."""
    c = torch.tensor(classes)
    return 0.5 * torch.nn.functional.one_hot(c.clamp(min=0), k) * (c >= 0)[:, None]


def test_agreement_is_cohens_kappa() -> None:
    # Six rows are named by both, three, two and one by the first, two, three and one by the second.
    first, second = named(0, 0, 0, 1, 1, 2, -1, 0), named(0, 0, 1, 1, 1, 2, 0, -1)
    p, e = 5 / 6, (3 * 2 + 2 * 3 + 1 * 1) / 36
    assert agreement(first, second) == pytest.approx((p - e) / (1 - e))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((0, 1, 2, 2), (0, 1, 2, 2), 1),
        ((1, 1, 1), (1, 1, 1), 1),
        ((0, 1, 0, 1), (0, 0, 1, 1), 0),
        ((0, 1, 0, 1), (1, 0, 1, 0), 0),
        ((0, 1, -1), (-1, -1, 2), 0),
        ((), (), 0),
    ],
    ids=["the same", "one class", "chance", "opposites", "no row named by both", "no rows"],
)
def test_agreement_in_its_limits(first: tuple[int, ...], second: tuple[int, ...], expected: float) -> None:
    pair = (named(*c) if c else torch.zeros(0, 3) for c in (first, second))
    assert agreement(*pair) == expected


def test_an_opinion_that_agrees_has_half_of_the_weight() -> None:
    q, other = torch.tensor([[0.8, 0.0], [0.0, 0.4]]), torch.tensor([[0.2, 0.0], [0.0, 0.4]])
    # Mean strengths are 0.6 and 0.3, so the opinion is doubled: 0.4 and 0.8.
    torch.testing.assert_close(mix(q, other, 1.0), torch.tensor([[0.6, 0.0], [0.0, 0.6]]))


def test_where_two_agree_no_more_than_by_chance_the_opinion_has_two_thirds_of_the_weight() -> None:
    q, other = named(0, 1, 0, 1, k=2), named(0, 0, 1, 1, k=2)
    expected = torch.tensor([[0.5, 0.0], [1 / 6, 0.0], [0.0, 1 / 6], [0.0, 0.5]])
    torch.testing.assert_close(mix(q, other, agreement(q, other)), expected)


def test_in_between_the_weight_follows_from_the_agreement() -> None:
    q, other = named(*[0] * 10, *[1] * 10, k=2), named(*[0] * 8, 1, 1, 0, 0, *[1] * 8, k=2)
    assert agreement(q, other) == pytest.approx(0.6)  # (16 / 20 - 1 / 2) / (1 / 2)
    w = 1 - 0.6**2
    after = mix(q, other, 0.6)
    torch.testing.assert_close(after[8], torch.tensor([0.0, 0.5 * (2 * w - 1)]))
    torch.testing.assert_close(after[0], torch.tensor([0.5, 0.0]))


def test_rows_on_which_two_differ_end_with_less_credibility() -> None:
    q, other = named(0, 1, 2, 0, 1, 2, 0, 1, 2, 0), named(0, 1, 2, 0, 1, 2, 0, 1, 2, 1)
    after = strength(mix(q, other, agreement(q, other)))
    assert after[-1] < 0.1
    torch.testing.assert_close(after[:-1], torch.full((9,), 0.5))


def test_an_opinion_that_names_no_row_changes_nothing() -> None:
    q = named(0, 1, 2)
    assert mix(q, torch.zeros(3, 3), 0.0).equal(q)


def test_the_mixture_is_a_credibility() -> None:
    q, other = (torch.rand(50, 4, generator=torch.Generator().manual_seed(s)) for s in (0, 1))
    made = mix(adjust(q).clamp(0, 1), adjust(other).clamp(0, 1) / 100, 0.3)
    assert made.min() == 0
    assert 0 < made.max() <= 1
    assert ((made > 0).sum(dim=1) <= 1).all()
