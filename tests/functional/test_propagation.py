"""Algorithm 2 against plain loops, and what no shortcut may break."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

import oracles
from credprop.functional import (
    adjust,
    angular_similarity,
    class_similarity,
    class_similarity_of_views,
    mean_of_views,
    propagate,
)
from functional.conftest import CREDIBILITY, embeddings, sparse_credibility

SETTINGS = settings(deadline=None)


def two_views(q: Tensor) -> Tensor:
    return torch.cat([q, q])


def opinion(phi: Tensor, q: Tensor, rows: Tensor) -> Tensor:
    return adjust(class_similarity_of_views(phi, q, rows)[1])


def test_propagation_equals_the_equation(q: Tensor) -> None:
    phi = torch.rand(12, 12, generator=torch.Generator().manual_seed(1), dtype=torch.float64)  # not symmetric
    expected = oracles.propagate(phi.tolist(), q.tolist(), left_out=lambda j, i: i == j)
    torch.testing.assert_close(propagate(phi, q), torch.tensor(expected, dtype=torch.float64))


def test_two_views_give_algorithm_2(q: Tensor) -> None:
    first, second = embeddings(12, seed=1), embeddings(12, seed=2)
    result = mean_of_views(propagate(angular_similarity(torch.cat([first, second])), two_views(q)))
    expected = oracles.algorithm_2(first.tolist(), second.tolist(), q.tolist())
    torch.testing.assert_close(result, torch.tensor(expected, dtype=torch.float64))


def test_class_similarity_of_views_gives_what_propagation_gives(q: Tensor) -> None:
    phi = torch.rand(24, 24, generator=torch.Generator().manual_seed(1), dtype=torch.float64)  # not symmetric
    result = adjust(class_similarity_of_views(phi, q, torch.arange(0))[0])
    expected = oracles.propagate(phi.tolist(), two_views(q).tolist(), left_out=lambda j, i: i == j)
    torch.testing.assert_close(result, torch.tensor(expected, dtype=torch.float64))


def test_weak_samples_are_not_lost_next_to_both_views_of_a_strong_one() -> None:
    phi = angular_similarity(embeddings(4)).float()
    q = torch.tensor([[1.0, 0.0], [1e-6, 0.0]])
    heard, apart = class_similarity_of_views(phi, q, torch.tensor([0]))
    torch.testing.assert_close(apart[0, 0], (phi[0, 1] + phi[0, 3]) / 2)
    torch.testing.assert_close(heard, class_similarity(phi, two_views(q)))


def test_opinion_leaves_out_both_views_of_the_sample(q: Tensor) -> None:
    phi = angular_similarity(embeddings(24))
    expected = oracles.propagate(phi.tolist(), two_views(q).tolist(), left_out=lambda j, i: i % 12 == j % 12)
    rows = torch.tensor([3, 0, 20, 11, 23, 12])
    result = opinion(phi, q, rows)
    torch.testing.assert_close(result, torch.tensor(expected, dtype=torch.float64)[rows])


def test_opinion_about_a_sample_does_not_depend_on_its_own_label() -> None:
    q, phi = sparse_credibility(12, 4), angular_similarity(embeddings(24))
    other = q.clone()
    other[5] = torch.tensor([0.0, 0.0, 1.0, 0.0])
    everyone = torch.arange(24)
    before, after = opinion(phi, q, everyone), opinion(phi, other, everyone)
    difference = (before - after).abs().amax(dim=1)
    assert difference[[5, 17]].max() < 1e-12
    assert difference.max() > 1e-3


def test_worked_example() -> None:
    phi = torch.tensor([[1.0, 0.9, 0.5], [0.9, 1.0, 0.2], [0.5, 0.2, 1.0]])
    q = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 0.5]])
    result = propagate(phi, q)
    torch.testing.assert_close(result[0], torch.tensor([0.4, -0.4]))  # 0.9 against 0.5
    torch.testing.assert_close(result[1], torch.tensor([-0.2, 0.2]))  # no other sample supports class 0


def test_a_class_without_support_has_similarity_zero_and_a_batch_without_any_stays_at_zero() -> None:
    phi = angular_similarity(embeddings(6))
    assert torch.equal(
        propagate(phi, torch.zeros(6, 3, dtype=torch.float64)), torch.zeros(6, 3, dtype=torch.float64)
    )
    one_class = torch.eye(3, dtype=torch.float64)[[0] * 6]
    others = phi.masked_fill(torch.eye(6, dtype=torch.bool), 0).sum(dim=1) / 5
    torch.testing.assert_close(propagate(phi, one_class)[:, 0], others)


def test_weak_samples_are_not_lost_next_to_a_strong_one() -> None:
    phi = angular_similarity(embeddings(4)).float()
    q = torch.zeros(4, 2)
    q[0, 0], q[1, 0] = 1.0, 1e-6
    torch.testing.assert_close(propagate(phi, q)[0, 0], phi[0, 1])


def test_two_views_average_to_their_mean() -> None:
    v = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 8.0], [-3.0, 0.0]])
    assert mean_of_views(v).tolist() == [[3, 5], [0, 2]]


@SETTINGS
@given(
    form=st.sampled_from(sorted(CREDIBILITY)),
    n=st.integers(2, 12),
    k=st.integers(2, 6),
    seed=st.integers(0, 1000),
)
def test_reordering_samples_or_relabeling_classes_changes_nothing_else(
    form: str, n: int, k: int, seed: int
) -> None:
    q, z = CREDIBILITY[form](n, k, seed), embeddings(n, seed=seed)
    generator = torch.Generator().manual_seed(seed)
    samples, classes = torch.randperm(n, generator=generator), torch.randperm(k, generator=generator)
    result = propagate(angular_similarity(z), q)
    torch.testing.assert_close(propagate(angular_similarity(z[samples]), q[samples]), result[samples])
    torch.testing.assert_close(propagate(angular_similarity(z), q[:, classes]), result[:, classes])


@SETTINGS
@given(form=st.sampled_from(sorted(CREDIBILITY)), n=st.integers(2, 12), seed=st.integers(0, 1000))
def test_a_sample_without_credibility_has_no_influence(form: str, n: int, seed: int) -> None:
    q, phi = CREDIBILITY[form](n, 3, seed), angular_similarity(embeddings(n, seed=seed))
    q[0] = 0
    torch.testing.assert_close(propagate(phi, q)[1:], propagate(phi[1:, 1:], q[1:]))


@SETTINGS
@given(
    form=st.sampled_from(sorted(CREDIBILITY)),
    n=st.integers(1, 12),
    k=st.integers(2, 6),
    seed=st.integers(0, 1000),
)
def test_propagated_credibility_is_within_bounds_in_every_precision(
    form: str, n: int, k: int, seed: int
) -> None:
    q, z = CREDIBILITY[form](n, k, seed), embeddings(2 * n, seed=seed)
    for dtype in (torch.float32, torch.bfloat16):
        phi, own = angular_similarity(z.to(dtype)), q.to(dtype)
        for result in (propagate(phi, two_views(own)), opinion(phi, own, torch.arange(2 * n))):
            assert result.abs().max() <= 1 + 1e-5


def test_half_precision_agrees_with_double_precision() -> None:
    phi, q = angular_similarity(embeddings(12)).bfloat16(), sparse_credibility(12, 4).bfloat16()
    expected = propagate(phi.double(), q.double())
    with torch.autocast("cpu", torch.bfloat16):
        result = propagate(phi, q)
    torch.testing.assert_close(result.double(), expected, atol=1e-5, rtol=0)
