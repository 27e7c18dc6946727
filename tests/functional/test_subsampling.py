"""Algorithm 3 against a pass per candidate, and the decisions that the paper leaves open."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from credprop.functional import choose_p, subsample
from functional.conftest import CREDIBILITY


@settings(deadline=None, max_examples=60)
@given(
    form=st.sampled_from(["sparse", "dense"]),
    n=st.integers(1, 150),
    seed=st.integers(0, 1000),
    p_last=st.integers(0, 100),
    d_max=st.sampled_from([0.0, 0.001, 0.01, 0.1, 1.0]),
)
def test_percentage_equals_algorithm_3(form: str, n: int, seed: int, p_last: int, d_max: float) -> None:
    q = CREDIBILITY[form](n, 4, seed)
    ranking = torch.rand(n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).round(
        decimals=1
    )
    expected = oracles.choose_p(q.tolist(), ranking.tolist(), p_last, d_max)
    assert choose_p(q, ranking, p_last=p_last, d_max=d_max) == expected


@settings(deadline=None)
@given(n=st.integers(1, 150), seed=st.integers(0, 1000), p=st.integers(0, 99))
def test_reset_equals_the_algorithm_with_ties_in_input_order(n: int, seed: int, p: int) -> None:
    q = CREDIBILITY["dense"](n, 3, seed)
    ranking = torch.rand(n, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).round(
        decimals=1
    )
    expected = torch.tensor(oracles.subsample(q.tolist(), ranking.tolist(), p), dtype=torch.float64)
    assert torch.equal(subsample(q, ranking, p), expected)


# Two classes of equal mass; the two weakest rows are of class 1. Resetting both leaves a divergence of
# exactly one bit (0.69 nats); resetting one leaves P = (2/3, 1/3), a divergence of 0.082 bits.
Q = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
RANKING = torch.tensor([0.9, 0.8, 0.1, 0.2])


@pytest.mark.parametrize(
    ("d_max", "p"), [(1.0, 49), (1.0001, 99), (0.0818, 49), (0.0817, 24), (0.01, 24), (0.0, 0)]
)
def test_the_bound_is_strict_and_in_bits(d_max: float, p: int) -> None:
    assert choose_p(Q, RANKING, d_max=d_max) == p


def test_the_percentage_never_grows_between_iterations() -> None:
    assert [choose_p(Q, RANKING, p_last=p, d_max=9.0) for p in (100, 30, 2, 1, 0)] == [99, 29, 1, 0, 0]


def test_a_candidate_that_leaves_no_mass_does_not_count() -> None:
    q = torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    assert choose_p(q, torch.tensor([0.1, 0.2, 0.3, 0.4]), d_max=9.0) == 24
    assert choose_p(torch.zeros(4, 2), RANKING, d_max=9.0) == 0
    assert choose_p(torch.zeros(0, 2), torch.zeros(0), d_max=9.0) == 0


def test_rows_to_reset_are_rounded_down() -> None:
    q, ranking = torch.ones(7, 2), torch.arange(7.0)
    assert [int((subsample(q, ranking, p).sum(dim=1) == 0).sum()) for p in (0, 14, 15, 50, 99)] == [
        0,
        0,
        1,
        3,
        6,
    ]
