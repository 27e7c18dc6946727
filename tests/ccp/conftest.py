"""A small problem and settings that finish in a second."""

import dataclasses
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from credprop.augment import VectorAugment
from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.training import Phase


def blobs(n: int = 90, k: int = 3, labels_per_class: int = 3, seed: int = 0) -> PartlyLabeled:
    """Well separated clusters, a class each, of which a few samples are labeled."""
    generator = torch.Generator().manual_seed(seed)
    truth = torch.arange(n) % k
    centers = 7 * nn.functional.one_hot(torch.arange(k), 6).float()
    x = centers[truth] + torch.randn(n, 6, generator=generator)
    labels = torch.where(torch.arange(n) < k * labels_per_class, truth, -1)
    return PartlyLabeled(x=x, labels=labels, k=k, truth=truth)


def tiny(**changes: Any) -> Settings:
    """Two short iterations of a small network."""
    phase = Phase(epochs=3, batch_size=32, lr=0.05)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        encoder = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1))
    settings = Settings(
        encoder=encoder,
        augment=VectorAugment(),
        pretrain=phase,
        first=dataclasses.replace(phase, lr=0.005),
        refine=phase,
        build=phase,
        iterations=2,
        projector=(8,),
    )
    return dataclasses.replace(settings, **changes)


def able(**changes: Any) -> Settings:
    """Long enough to learn the clusters."""
    phase = Phase(epochs=12, batch_size=32, lr=0.2)
    return tiny(
        pretrain=phase, first=dataclasses.replace(phase, lr=0.02), refine=phase, build=phase, **changes
    )


@pytest.fixture
def data() -> PartlyLabeled:
    """Ninety samples of three classes, nine of them labeled."""
    return blobs()


def weights(model: nn.Module) -> dict[str, Tensor]:
    return {name: value.clone() for name, value in model.state_dict().items()}
