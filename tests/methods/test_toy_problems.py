"""Each method on a toy problem made for it."""

from functools import cache

import pytest
import torch

from credprop.data import PartlyLabeled
from credprop.methods import METHODS, Learned
from methods.conftest import CPU, accuracy, blobs, small


@cache
def faint(seed: int) -> PartlyLabeled:
    """Three clusters in twenty features; two labels per class do not separate them, unlabeled rows can."""
    centers = torch.randn(3, 20, generator=torch.Generator().manual_seed(seed))
    return blobs(centers, [100, 100, 100], [2, 2, 2], spread=1.5, seed=seed)


@cache
def learned(name: str, seed: int) -> Learned:
    return METHODS[name](faint(seed), small(120), 0, compute=CPU)


def gain(name: str, seed: int, over: str = "supervised") -> float:
    """Accuracy gained over another method."""
    return accuracy(learned(name, seed), faint(seed)) - accuracy(learned(over, seed), faint(seed))


@pytest.mark.parametrize("name", ["fixmatch", "comatch", "acr", "openmatch"])
def test_with_few_labels_consistency_beats_the_supervised_baseline(name: str) -> None:
    assert gain(name, seed=0) > 0.1


def test_pseudo_labels_beat_the_supervised_baseline() -> None:
    assert gain("pseudo-label", seed=0) > 0.03


def test_ccp_beats_the_supervised_baseline_and_none_beats_the_control() -> None:
    assert gain("ccp", seed=0) > 0.1
    assert accuracy(learned("control", 0), faint(0)) > 0.97


def test_alignment_brings_back_a_class_that_fixmatch_forgets() -> None:
    """FixMatch gives nearly all of one class to another; the labels say that all are equally frequent."""
    shares = {
        name: torch.bincount(learned(name, 1).predict(faint(1).x), minlength=3).min() / 300
        for name in ("fixmatch", "fixmatch-da")
    }
    assert shares["fixmatch"] < 0.15
    assert shares["fixmatch-da"] > 0.25
    assert gain("fixmatch-da", seed=1, over="fixmatch") > 0.1


@pytest.mark.parametrize("name", ["simclr", "cclp"])
def test_representations_that_know_all_rows_beat_the_supervised_baseline(name: str) -> None:
    assert gain(name, seed=2) > 0.05


def test_supcon_learns_what_it_has_many_labels_of() -> None:
    data = blobs(3 * torch.eye(3, 10), [60, 60, 60], [25, 25, 25], spread=1.0)
    assert accuracy(METHODS["supcon"](data, small(80), 0, compute=CPU), data) > 0.9


def test_openmatch_rejects_outliers_that_fixmatch_accepts() -> None:
    """A cluster far from both classes, a little less far from the first."""
    centers = torch.tensor([[4.0, 0, 0, 0], [0, 4, 0, 0], [1.5, 0, 4, 0]])
    data = blobs(centers, [80, 80, 80], [10, 10, 0], spread=0.7)
    taken_in = {}
    for name in ("fixmatch", "openmatch"):
        result = METHODS[name](data, small(120), 0, compute=CPU)
        assert result.pseudo_labels is not None
        assert data.truth is not None
        taken_in[name] = (result.pseudo_labels[data.truth < 0] >= 0).float().mean().item()
        assert accuracy(result, data) > 0.95
    assert taken_in["openmatch"] < taken_in["fixmatch"] / 2


def test_acr_finds_the_class_that_has_few_labels_and_many_samples() -> None:
    centers = torch.randn(2, 20, generator=torch.Generator().manual_seed(0))
    data = blobs(centers, [60, 240], [20, 2], spread=1.5)
    assert data.truth is not None
    found = {
        name: (METHODS[name](data, small(120), 0, compute=CPU).predict(data.x) == 1)[data.truth == 1]
        .float()
        .mean()
        for name in ("acr", "fixmatch")
    }
    assert found["acr"] > 0.9
    assert found["acr"] > found["fixmatch"] + 0.05


def test_averaged_softmax_forgets_what_credibility_keeps() -> None:
    assert gain("ccp-alone", seed=2, over="seal") > 0
