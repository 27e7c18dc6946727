"""All methods run on any small data, give one result per seed, and leave global state unchanged."""

import dataclasses
import math

import numpy as np
import pytest
import torch

from credprop.augment import ImageAugment
from credprop.data import PartlyLabeled
from credprop.methods import METHODS, Learned, choose_method
from methods.conftest import CPU, small, with_outliers

NETWORKS = sorted(set(METHODS) - {"logistic", "label-spreading", "self-training"})


def run(name: str, data: PartlyLabeled, seed: int = 0) -> Learned:
    return choose_method(name)(data, small(20), seed, compute=CPU)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", METHODS)
def test_every_method_runs_on_few_rows_with_outliers(name: str, k: int) -> None:
    data = with_outliers(k)
    learned = run(name, data)
    assert set(learned.predict(np.random.default_rng(0).normal(size=(7, 3))).tolist()) <= set(range(k))
    if learned.pseudo_labels is not None:
        assert len(learned.pseudo_labels) == len(data)
        assert set(learned.pseudo_labels.tolist()) <= {-1, *range(k)}
    losses = [row["loss"] for row in learned.history]
    assert all(math.isfinite(loss) for loss in losses)


@pytest.mark.parametrize("name", NETWORKS)
def test_images_of_bytes_work(name: str) -> None:
    truth = torch.arange(24) % 2
    x = torch.randint(0, 256, (24, 8, 8, 3), generator=torch.Generator().manual_seed(0), dtype=torch.uint8)
    labels = torch.where(torch.arange(24) < 6, truth, -1)
    data = PartlyLabeled(x=x.numpy(), labels=labels, k=2, truth=truth)
    settings = small(4, encoder="resnet-small", augment=ImageAugment())
    assert METHODS[name](data, settings, 0, compute=CPU).predict(x.numpy()).shape == (24,)


@pytest.mark.parametrize("name", NETWORKS)
def test_same_seed_same_result_and_the_callers_random_state_is_left_alone(name: str) -> None:
    data = with_outliers()
    torch.manual_seed(5)
    state, numpy_state = torch.get_rng_state(), str(np.random.get_state(legacy=True))
    first = run(name, data, seed=3)
    assert torch.equal(torch.get_rng_state(), state)
    assert str(np.random.get_state(legacy=True)) == numpy_state
    torch.manual_seed(6)
    again = run(name, data, seed=3)
    assert first.history == again.history
    x = 3 * torch.randn(200, 3)
    assert torch.equal(first.predict(x), again.predict(x))
    assert (first.steps, first.samples) == (again.steps, again.samples)


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown method 'mixmatch'; use one of supervised, ccp, .*control"):
        choose_method("mixmatch")


@pytest.mark.parametrize("name", ["fixmatch", "supervised", "logistic"])
def test_without_a_label_there_is_nothing_to_learn(name: str) -> None:
    data = with_outliers()
    with pytest.raises(ValueError, match="no row is labeled"):
        run(name, dataclasses.replace(data, labels=torch.full_like(data.labels, -1)))
