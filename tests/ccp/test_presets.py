"""Settings by name: the paper's, and what auto chooses for the data."""

import dataclasses

import numpy as np
import pytest
import torch

from credprop.augment import VectorAugment
from credprop.ccp import PAPER, choose_settings
from credprop.ccp.additions.first_iteration import slow_where_uneven
from credprop.ccp.setup import new_state
from credprop.ccp.stages import plan
from credprop.data import PartlyLabeled
from credprop.training import Compute, Phase

CPU = Compute(torch.device("cpu"))


def test_presets_hold_the_settings_of_the_paper(data: PartlyLabeled) -> None:
    settings = choose_settings(data, "cifar10")
    assert settings.encoder == "wrn-28-2"
    assert settings.iterations == 24
    assert settings.pretrain == Phase(epochs=512, batch_size=512, lr=0.06, schedule_epochs=1028, patience=40)
    assert settings.first == Phase(epochs=50, batch_size=512, lr=0.0006, schedule_epochs=400)
    assert settings.refine == Phase(epochs=400, batch_size=512, lr=0.06, schedule_epochs=400, patience=4)
    assert settings.build == Phase(epochs=512, batch_size=64, lr=0.06, schedule_epochs=512)
    assert (settings.weight_average, settings.weight_decay, settings.d_max) == (0.999, 5e-4, 0.01)
    assert choose_settings(data, "cifar100").encoder == "wrn-28-8"
    assert "ImageAugment(area=0.1" in str(settings)
    with pytest.raises(ValueError, match="unknown preset 'cifar'; use one of auto, cifar10, cifar100"):
        choose_settings(data, "cifar")


def test_auto_looks_at_the_data(data: PartlyLabeled) -> None:
    assert choose_settings(data).encoder == "mlp"
    images = PartlyLabeled(x=np.zeros((9, 8, 8, 3), dtype=np.uint8), labels=torch.zeros(9).long(), k=2)
    assert choose_settings(images).encoder == "resnet-small"


def test_auto_drops_no_component() -> None:
    x, labels = torch.randn(300, 16), torch.arange(300) % 3 - 1
    falling = torch.linspace(3, 1, 16)
    augment = choose_settings(PartlyLabeled(x=x * falling, labels=labels, k=2)).augment
    assert augment == VectorAugment(noise=1.0, drop=0.0, mix=0.0)
    assert (
        choose_settings(PartlyLabeled(x=x * falling.flip(0), labels=labels, k=2)).augment == VectorAugment()
    )


@pytest.mark.parametrize(
    ("labels", "rate"), [([8, 8], 0.06), ([8, 4], 0.03), ([8, 1], 0.02), ([8, 0], 0.02), ([0, 0], 0.02)]
)
def test_auto_is_slower_at_first_where_classes_have_unequal_numbers_of_labels(
    labels: list[int], rate: float
) -> None:
    given = torch.arange(2).repeat_interleave(torch.tensor(labels))
    everyone = torch.cat([given, torch.full((20,), -1)])
    data = PartlyLabeled(x=torch.randn(len(everyone), 3), labels=everyone, k=2)
    settings = choose_settings(data)
    assert settings.additions.rate == (slow_where_uneven,)
    state = new_state(data, settings, 0, CPU)
    _, first, second, *_ = plan(settings)
    assert state.new_learner(first).rate(0) == pytest.approx(rate)
    assert state.new_learner(second).rate(0) == settings.refine.lr
    state.settings = dataclasses.replace(settings, additions=PAPER)
    assert state.new_learner(first).rate(0) == settings.first.lr
