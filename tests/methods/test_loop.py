"""The training loop that methods share."""

import dataclasses
import math

import pytest
import torch
from torch.nn.functional import cross_entropy

from credprop.augment import TextAugment, VectorAugment
from credprop.ccp import planned_steps
from credprop.data import PartlyLabeled
from credprop.methods import METHODS, VECTORS_ONLY, Batch, Learned, choose_method, learn
from credprop.networks import Model, TextNetwork
from methods.conftest import CPU, small, texts, with_outliers

NETWORK = TextNetwork(vocabulary=41, width=8, branches=(((6, 3),), ((4, 2), (3, 2))))


@pytest.mark.parametrize("name", sorted(set(METHODS) - VECTORS_ONLY))
def test_texts_work(name: str) -> None:
    data = texts()
    settings = small(10, encoder=NETWORK, augment=TextAugment(), optimizer="adam")
    learned, again = (METHODS[name](data, settings, 0, compute=CPU) for _ in range(2))
    assert set(learned.predict(data.x).tolist()) <= {0, 1}
    assert learned.history == again.history
    assert torch.equal(learned.predict(data.x), again.predict(data.x))
    assert learned.samples > 0


NETWORKS = sorted(set(METHODS) - {"logistic", "label-spreading", "self-training"})


def run(name: str, data: PartlyLabeled, seed: int = 0) -> Learned:
    return choose_method(name)(data, small(20), seed, compute=CPU)


@pytest.mark.parametrize("name", sorted(set(NETWORKS) - {"ccp", "ccp-untrusted", "seal"}))
def test_all_networks_take_as_many_steps_as_all_phases_of_ccp(name: str) -> None:
    data = with_outliers()
    assert run(name, data).steps == planned_steps(data, small(20)) == 20


def test_views_are_counted() -> None:
    """Of sixty rows: 64 labeled draws, a weak and a strong view of each; twice the labels in the baseline."""
    data = with_outliers()
    assert run("fixmatch", data).samples == 20 * (64 + 2 * 60)
    assert run("supervised", data).samples == 20 * 2 * 4


class Entropy:
    """The example of docs/methods.md: labels, and predictions that are to be sure."""

    def __call__(self, model: Model, batch: Batch) -> dict[str, torch.Tensor]:
        x, u = batch.together(model, batch.weak(batch.x), batch.strong(batch.u))
        entropy = -(u.softmax(dim=1) * u.log_softmax(dim=1)).sum(dim=1)
        return {"supervised": cross_entropy(x, batch.y), "entropy": entropy.mean()}

    def guess(self, model: Model, b: torch.Tensor) -> None:
        return None


def test_a_custom_method_takes_a_class_of_two_functions() -> None:
    data = with_outliers()
    mine = learn([lambda model, data: Entropy()], data, small(20), 0, compute=CPU)
    assert mine.history[-1]["entropy"] < mine.history[0]["entropy"]
    assert mine.pseudo_labels is None


def test_without_a_building_phase_there_is_no_classifier() -> None:
    with pytest.raises(ValueError, match="train no classifier"):
        METHODS["fixmatch"](with_outliers(), small(20, build=None), 0, compute=CPU)


def test_half_precision_and_a_users_own_transform_work() -> None:
    data = with_outliers()
    half = dataclasses.replace(CPU, precision="bfloat16")
    settings = small(20, augment=lambda x, generator: 1.1 * VectorAugment()(x, generator))
    for name in NETWORKS:
        learned = METHODS[name](data, settings, 0, compute=half)
        assert all(math.isfinite(row["loss"]) for row in learned.history)
