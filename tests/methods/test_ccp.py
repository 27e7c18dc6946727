"""CCP as a method of the comparison."""

import torch

from credprop.ccp import train
from credprop.data import PartlyLabeled
from credprop.methods import Learned, choose_method
from methods.conftest import CPU, small, with_outliers


def run(name: str, data: PartlyLabeled, seed: int = 0) -> Learned:
    return choose_method(name)(data, small(20), seed, compute=CPU)


def test_ccp_comes_with_its_first_iteration_which_is_a_run_of_its_own() -> None:
    data = with_outliers()
    for name in ("ccp-alone", "ccp-untrusted"):
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
    data, settings = with_outliers(), small(20)
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


def test_clamped_labels_are_their_own_pseudo_labels() -> None:
    data = with_outliers()
    pseudo = run("ccp-alone", data).pseudo_labels
    assert pseudo is not None
    assert torch.equal(pseudo[data.given], data.labels[data.given])
