"""The six augmentations of texts keep the appendix's bounds, differ from text to text, and keep padding."""

import math
from collections import Counter

import pytest
import torch
from torch import Tensor

from credprop.augment import AUGMENTS, Embedded, HideTokens, TextAugment, takes_vectors, weaker

KINDS = TextAugment().kinds
N, LENGTH, VOCABULARY, WIDTH = 240, 40, 500, 6


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def sequences(tokens: int = 40, n: int = N) -> Embedded:
    """Texts of this many tokens, no two of one text the same, and a table whose rows identify their ids."""
    ids = torch.stack([torch.randperm(VOCABULARY - 1, generator=generator(i))[:LENGTH] + 1 for i in range(n)])
    ids[:, tokens:] = 0
    table = torch.randn(VOCABULARY, WIDTH, generator=generator(7)) * 30
    return Embedded(ids, table)


def ids_of(x: Embedded, vectors: Tensor) -> Tensor:
    """The ids of vectors that are rows of the table."""
    distance = torch.cdist(vectors.flatten(0, 1), x.table, compute_mode="donot_use_mm_for_euclid_dist")
    least, ids = distance.min(dim=1)
    assert least.max() == 0
    return ids.view(vectors.shape[:2])


def moved(kind: str, x: Embedded, augment: TextAugment | None = None) -> Tensor:
    augment = augment or TextAugment(kinds=(kind,))
    return ids_of(x, augment(x, generator()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tokens", [1, 2, 17, 40])
def test_padding_stays_padding_and_tokens_stay_in_front(kind: str, tokens: int) -> None:
    x = sequences(tokens, n=30)
    vectors = TextAugment(kinds=(kind,))(x, generator())
    assert vectors.shape == (30, LENGTH, WIDTH)
    assert torch.equal(vectors[:, tokens:], x.table[0].expand(30, LENGTH - tokens, WIDTH))
    if kind in ("swap", "scramble", "replace"):
        assert (ids_of(x, vectors)[:, :tokens] != 0).all()


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_of_only_padding_is_unchanged(kind: str) -> None:
    x = sequences(0, n=5)
    assert torch.equal(TextAugment(kinds=(kind,))(x, generator()), x.vectors)
    one = Embedded(torch.zeros(3, 1, dtype=torch.long), x.table)
    assert torch.equal(TextAugment(kinds=(kind,))(one, generator()), one.vectors)


@pytest.mark.parametrize("tokens", [40, 20])
@pytest.mark.parametrize("kind", ["hide", "replace", "scramble"])
def test_shares_fill_their_bounds_and_differ_from_text_to_text(kind: str, tokens: int) -> None:
    x = sequences(tokens)
    changed = (moved(kind, x) != x.ids).sum(dim=1)
    least, most = round(0.1 * tokens), round(0.25 * tokens)
    by_chance = kind == "replace"  # a token may be replaced by itself
    assert least - by_chance <= changed.min() <= changed.max() <= most
    assert set(range(least, most + 1)) <= set(changed.tolist())
    places = (moved(kind, x) != x.ids).float().mean(dim=0)[:tokens]
    assert places.min() > 0.05  # every place is drawn now and then, 17.5 % of the time
    assert places.max() < 0.35


def test_hidden_vectors_are_the_padding_vector() -> None:
    x = sequences()
    ids = moved("hide", x)
    assert set(ids[ids != x.ids].tolist()) == {0}


def test_replaced_vectors_come_from_the_whole_vocabulary() -> None:
    x = sequences()
    ids = moved("replace", x)
    others = ids[ids != x.ids]
    assert others.min() >= 1
    assert others.max() < VOCABULARY
    assert len(others.unique()) > 0.9 * VOCABULARY


def test_a_scramble_moves_tokens_to_each_others_places() -> None:
    x = sequences()
    ids = moved("scramble", x)
    assert torch.equal(ids.sort(dim=1).values, x.ids.sort(dim=1).values)
    assert not torch.equal(ids[0], ids[1])


def test_a_swap_exchanges_what_is_before_and_after_a_random_place() -> None:
    x = sequences(tokens=9)
    cuts = Counter[int]()
    for before, after in zip(x.ids[:, :9].tolist(), moved("swap", x)[:, :9].tolist(), strict=True):
        cut = before.index(after[0])
        assert after == before[cut:] + before[:cut]
        cuts[cut] += 1
    assert set(cuts) == set(range(1, 9))


def noise(kind: str, augment: TextAugment, n: int = 60) -> Tensor:
    """What is added to texts of forty tokens with vectors of 200 entries."""
    ids = torch.arange(1, LENGTH + 1).expand(n, LENGTH)
    x = Embedded(ids, torch.zeros(LENGTH + 1, 200))
    return augment(x, generator()).flatten(1).double()


def test_gaussian_noise_has_a_mean_and_a_deviation_for_each_text() -> None:
    made = noise("noise", TextAugment(kinds=("noise",)))
    mean, deviation = made.mean(dim=1), made.std(dim=1)
    assert -0.501 < mean.min() < -0.4
    assert 0.4 < mean.max() < 0.501
    assert 0.0098 < deviation.min() < 0.015
    assert 0.045 < deviation.max() < 0.051
    assert abs(torch.corrcoef(torch.stack([mean, deviation]))[0, 1]) < 0.4
    kurtosis = ((made - mean[:, None]) / deviation[:, None]).pow(4).mean()
    assert abs(kurtosis - 3) < 0.05


def test_private_noise_is_laplacian_with_scale_one_over_epsilon() -> None:
    made = noise("privacy", TextAugment(kinds=("privacy",)))
    epsilon = 1 / made.abs().mean(dim=1)  # the mean size of Laplace noise is its scale
    assert 9.7 < epsilon.min() < 20
    assert 90 < epsilon.max() < 103
    scaled = made * epsilon[:, None]
    assert abs(scaled.mean()) < 0.01
    assert abs((scaled > math.log(4)).double().mean() - 1 / 8) < 0.003  # P(noise > t) = exp(-t) / 2


def test_one_transform_is_drawn_for_each_text_all_equally_often() -> None:
    x = sequences(n=1200)
    vectors = TextAugment()(x, generator())
    same = (vectors == x.vectors).all(dim=2)  # (n, length)
    noisy = ~same.any(dim=1)  # noise leaves no vector alone, and a swap none in its place
    shifted = noisy & ((vectors - x.vectors).abs().amax(dim=(1, 2)) < 5)
    assert abs(shifted.float().mean() - 2 / 6) < 0.05
    assert abs((noisy & ~shifted).float().mean() - 1 / 6) < 0.05
    few = (~same).sum(dim=1)
    assert ((few >= 4) & (few <= 10) | noisy).all()


def test_same_generator_same_views_and_the_global_state_is_left_alone() -> None:
    x, state = sequences(), torch.get_rng_state()
    ids = x.ids.clone()
    first, again, other = (TextAugment()(x, generator(seed)) for seed in (0, 0, 1))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(x.ids, ids)
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_reach_the_table(kind: str) -> None:
    """Every position of a view has a gradient for its vector, also with noise added."""
    x = sequences(tokens=30, n=50)
    table = x.table.requires_grad_()
    vectors = TextAugment(kinds=(kind,))(x, generator())
    vectors.sum().backward()
    shown = (
        x.ids if kind in ("privacy", "noise") else ids_of(Embedded(x.ids, table.detach()), vectors.detach())
    )
    expected = torch.bincount(shown.flatten(), minlength=VOCABULARY).float()
    assert table.grad is not None
    assert torch.equal(table.grad, expected[:, None].expand(VOCABULARY, WIDTH))


def test_the_weaker_transform_has_half_the_strength() -> None:
    strong = TextAugment(share=(0.2, 0.4), kinds=("hide", "noise"))
    half = TextAugment(
        epsilon=(20, 200), mean=(-0.25, 0.25), deviation=(0.005, 0.025), share=(0.1, 0.2), kinds=strong.kinds
    )
    assert strong.weaker() == weaker(strong) == half


def test_a_transform_says_whether_it_takes_vectors() -> None:
    assert takes_vectors(AUGMENTS["text"]())
    assert not any(takes_vectors(make()) for name, make in AUGMENTS.items() if name != "text")


@pytest.mark.parametrize("kinds", [(), ("hide", "shuffle")])
def test_kinds_that_do_not_exist_are_refused(kinds: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="use some of privacy, noise, hide"):
        TextAugment(kinds=kinds)


def test_tokens_are_hidden_as_padding_for_encoders_that_take_ids() -> None:
    ids = sequences(30).ids
    hidden = HideTokens()(ids, generator())
    assert ((hidden == ids) | (hidden == 0)).all()
    shares = ((hidden == 0) & (ids != 0)).sum(dim=1) / 30
    assert shares.min() >= 0.5 - 0.5 / 30
    assert shares.max() <= 0.8 + 0.5 / 30
    assert len(shares.unique()) > 5
    assert weaker(HideTokens()) == HideTokens(share=(0.25, 0.4))
    assert not takes_vectors(HideTokens())
