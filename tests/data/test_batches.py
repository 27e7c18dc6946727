"""Every sample in every epoch, and every class in every balanced batch."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import one_hot

from credprop.data import balanced_batches, random_batches

SETTINGS = settings(deadline=None)


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@SETTINGS
@given(n=st.integers(1, 200), size=st.integers(1, 64), seed=st.integers(0, 100))
def test_random_batches_hold_every_sample_once_and_are_of_even_size(n: int, size: int, seed: int) -> None:
    batches = random_batches(n, size, generator(seed))
    assert sorted(torch.cat(batches).tolist()) == list(range(n))
    sizes = [len(batch) for batch in batches]
    assert max(sizes) <= size
    assert max(sizes) - min(sizes) <= 1


@SETTINGS
@given(n=st.integers(1, 200), k=st.integers(2, 12), size=st.integers(1, 64), seed=st.integers(0, 100))
def test_balanced_batches_hold_every_sample_and_a_credible_one_of_every_class_that_has_any(
    n: int, k: int, size: int, seed: int
) -> None:
    c = torch.randint(k, (n,), generator=generator(seed))
    s = torch.rand(n, 1, generator=generator(seed)).sub(0.7).clamp(min=0)  # most are not credible
    q = one_hot(c, k) * s
    classes = set(c[s[:, 0] > 0].tolist())
    batches = balanced_batches(q, size, generator(seed))
    drawn = torch.cat(batches)
    assert set(drawn.tolist()) == set(range(n))
    for batch in batches:
        assert set(c[batch][s[batch, 0] > 0].tolist()) == classes
        assert len(batch.unique()) == len(batch)
    extra = torch.bincount(drawn, minlength=n) - 1
    assert (s[extra > 0] > 0).all()  # only credible samples are drawn again


def test_oversampled_samples_are_drawn_evenly_from_their_class() -> None:
    q = torch.zeros(1000, 2)
    q[:3, 0] = 1  # three credible samples of class 0
    q[3:, 1] = 1
    drawn = torch.cat([torch.cat(balanced_batches(q, 10, generator(seed))) for seed in range(20)])
    count = torch.bincount(drawn)[:3].float()
    assert count.sum() > 1900
    assert count.max() / count.min() < 1.25


def test_only_the_generator_decides() -> None:
    first, again, other = (random_batches(50, 8, generator(seed)) for seed in (1, 1, 2))
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))
    assert not all(torch.equal(a, b) for a, b in zip(first, other, strict=True))
