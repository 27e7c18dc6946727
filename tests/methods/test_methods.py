"""What all methods have in common: any small data, one seed one result, nothing global touched."""

import dataclasses
import math

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy

from credprop.augment import ImageAugment, VectorAugment
from credprop.ccp import planned_steps, train
from credprop.data import PartlyLabeled
from credprop.methods import METHODS, Batch, Learned, choose_method, learn
from credprop.networks import Model
from methods.conftest import CPU, blobs, small

NETWORKS = sorted(set(METHODS) - {"logistic", "label-spreading", "self-training"})


def with_strangers(k: int = 2) -> PartlyLabeled:
    """Sixty rows of three features, two labels a class, a third cluster or a fourth of strangers."""
    centers = 3 * torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]])[: k + 1]
    return blobs(centers, [60 // (k + 1)] * (k + 1), [2] * k + [0], spread=1.0)


def run(name: str, data: PartlyLabeled, seed: int = 0) -> Learned:
    return choose_method(name)(data, small(20), seed, compute=CPU)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", METHODS)
def test_every_method_runs_on_few_rows_with_strangers(name: str, k: int) -> None:
    data = with_strangers(k)
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
    data = with_strangers()
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


@pytest.mark.parametrize("name", sorted(set(NETWORKS) - {"ccp", "ccp-untrusted", "seal"}))
def test_all_networks_take_as_many_steps_as_all_phases_of_ccp(name: str) -> None:
    data = with_strangers()
    assert run(name, data).steps == planned_steps(data, small(20)) == 20


def test_views_are_counted() -> None:
    """Of sixty rows: 64 labeled draws, a weak and a strong view of each; twice the labels in the baseline."""
    data = with_strangers()
    assert run("fixmatch", data).samples == 20 * (64 + 2 * 60)
    assert run("supervised", data).samples == 20 * 2 * 4


def test_no_method_but_the_control_looks_at_the_truth() -> None:
    data = with_strangers()
    blind = dataclasses.replace(data, truth=None)
    for name in sorted(set(METHODS) - {"control"}):
        assert torch.equal(run(name, data).predict(data.x), run(name, blind).predict(data.x))
    with pytest.raises(ValueError, match="give the data its `truth`"):
        run("control", blind)


def test_ccp_comes_with_its_first_iteration_which_is_a_run_of_its_own() -> None:
    data = with_strangers()
    for name in ("ccp", "ccp-untrusted"):
        learned = run(name, data)
        assert learned.first is not None
        assert learned.first.steps < learned.steps
        assert max(row["iteration"] for row in learned.first.history) == 1
        alone = choose_method(name)(data, small(20, iterations=1), 0, compute=CPU)
        assert alone.history == learned.first.history
        assert (alone.steps, alone.samples) == (learned.first.steps, learned.first.samples)
        assert alone.pseudo_labels is not None
        assert learned.first.pseudo_labels is not None
        assert torch.equal(alone.pseudo_labels, learned.first.pseudo_labels)
        assert torch.equal(alone.predict(data.x), learned.first.predict(data.x))


def test_building_the_first_classifier_leaves_the_run_as_it_was() -> None:
    data, settings = with_strangers(), small(20)
    plain = train(data, settings, compute=CPU)
    branched = train(data, settings, compute=CPU, first_too=True)
    assert branched.first is not None
    assert plain.history == branched.history
    assert (plain.steps, plain.views) == (branched.steps, branched.views)
    assert torch.equal(plain.q, branched.q)
    for name, value in plain.model.state_dict().items():
        assert torch.equal(value, branched.model.state_dict()[name])
    assert any(
        not torch.equal(value, branched.first.model.state_dict()[name])
        for name, value in plain.model.state_dict().items()
    )


class Entropy:
    """The example of docs/methods.md: labels, and predictions that are to be sure."""

    def __call__(self, model: Model, batch: Batch) -> dict[str, torch.Tensor]:
        x, u = batch.together(model, batch.weak(batch.x), batch.strong(batch.u))
        entropy = -(u.softmax(dim=1) * u.log_softmax(dim=1)).sum(dim=1)
        return {"supervised": cross_entropy(x, batch.y), "entropy": entropy.mean()}

    def guess(self, model: Model, b: torch.Tensor) -> None:
        return None


def test_a_method_of_the_users_takes_a_class_of_two_functions() -> None:
    data = with_strangers()
    mine = learn([lambda model, data: Entropy()], data, small(20), 0, compute=CPU)
    assert mine.history[-1]["entropy"] < mine.history[0]["entropy"]
    assert mine.pseudo_labels is None


def test_clamped_labels_are_their_own_pseudo_labels() -> None:
    data = with_strangers()
    pseudo = run("ccp", data).pseudo_labels
    assert pseudo is not None
    assert torch.equal(pseudo[data.given], data.labels[data.given])


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        ValueError, match=r"no method is named 'mixmatch'; there are supervised, ccp, .*control"
    ):
        choose_method("mixmatch")


@pytest.mark.parametrize("name", ["fixmatch", "supervised", "logistic"])
def test_without_a_label_there_is_nothing_to_learn(name: str) -> None:
    data = with_strangers()
    with pytest.raises(ValueError, match="no row is labeled"):
        run(name, dataclasses.replace(data, labels=torch.full_like(data.labels, -1)))


def test_without_a_building_phase_there_is_no_classifier() -> None:
    with pytest.raises(ValueError, match="build no classifier"):
        METHODS["fixmatch"](with_strangers(), small(20, build=None), 0, compute=CPU)


def test_half_precision_and_a_users_own_transform_work() -> None:
    data = with_strangers()
    half = dataclasses.replace(CPU, precision="bfloat16")
    settings = small(20, augment=lambda x, generator: 1.1 * VectorAugment()(x, generator))
    for name in NETWORKS:
        learned = METHODS[name](data, settings, 0, compute=half)
        assert all(math.isfinite(row["loss"]) for row in learned.history)
