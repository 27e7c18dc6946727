"""The augmentation of vectors."""

import torch

from credprop.augment import VectorAugment, identity, weaker


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_noise_has_the_asked_deviation_and_no_bias() -> None:
    x = torch.zeros(400, 500)
    noise = VectorAugment(noise=0.3, drop=0, mix=0)(x, generator())
    assert abs(noise.std().item() - 0.3) < 0.003
    assert abs(noise.mean().item()) < 0.003


def test_the_asked_share_of_features_is_dropped_and_taken_over_from_others() -> None:
    x = torch.arange(1.0, 401)[:, None].expand(400, 500)
    result = VectorAugment(noise=0, drop=0.25, mix=0.125)(x, generator())
    assert abs((result == 0).float().mean().item() - 0.25) < 0.01
    assert abs((result == x).float().mean().item() - 0.625) < 0.01
    others = result[(result != 0) & (result != x)]
    assert torch.equal(others, others.round())  # values of other samples, nothing made up
    assert ((result != 0) & (result != x)).any(dim=1).sum() > 390


def test_every_sample_is_treated_differently_and_the_batch_is_left_alone() -> None:
    x = torch.ones(50, 40)
    result = VectorAugment()(x, generator())
    assert len(result.unique(dim=0)) == 50
    assert torch.equal(x, torch.ones(50, 40))


def test_only_the_generator_decides() -> None:
    x, state = torch.randn(20, 10), torch.get_rng_state()
    first, again, other = (VectorAugment()(x, generator(seed)) for seed in (3, 3, 4))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(torch.get_rng_state(), state)


def test_the_weaker_transform_has_half_the_noise_and_half_the_shares() -> None:
    assert VectorAugment(noise=0.4, drop=0.2, mix=0.1).weaker() == VectorAugment(
        noise=0.2, drop=0.1, mix=0.05
    )
    assert weaker(VectorAugment(noise=0.4)) == VectorAugment(noise=0.4).weaker()


def test_a_custom_augmentation_is_its_own_weaker_one() -> None:
    assert weaker(identity) is identity
