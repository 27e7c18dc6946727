"""Toy problems, a network of a few units, and batches whose views are the rows themselves."""

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from credprop.augment import Augment, VectorAugment
from credprop.ccp import Settings
from credprop.data import PartlyLabeled, Tokens
from credprop.methods import Batch, Learned
from credprop.networks import Model, build_model
from credprop.training import Compute, Phase

CPU = Compute(torch.device("cpu"))


def small(steps: int = 60, augment: Augment | None = None, **changes: Any) -> Settings:
    """Settings of about this many steps on up to 512 rows: a tenth of them in each iteration of two."""
    share = Phase(epochs=max(1, steps // 10), batch_size=512, lr=0.1)
    settings = Settings(
        encoder="mlp",
        augment=augment or VectorAugment(),
        pretrain=dataclasses.replace(share, epochs=max(1, steps // 2)),
        first=dataclasses.replace(share, lr=0.01),
        refine=share,
        build=dataclasses.replace(share, epochs=max(1, 3 * steps // 10)),
        iterations=2,
        projector=(16,),
        weight_average=0.95,
    )
    return dataclasses.replace(settings, **changes)


def blobs(
    centers: Tensor, sizes: list[int], labeled: list[int], spread: float, seed: int = 0
) -> PartlyLabeled:
    """Round clusters, one per class; a cluster without labels is of outliers."""
    generator = torch.Generator().manual_seed(seed)
    k = sum(count > 0 for count in labeled)
    cluster = torch.arange(len(sizes)).repeat_interleave(torch.tensor(sizes))
    place = torch.cat([torch.arange(size) for size in sizes])
    x = centers[cluster] + spread * torch.randn(len(cluster), centers.shape[1], generator=generator)
    labels = torch.where(place < torch.tensor(labeled)[cluster], cluster, -1)
    return PartlyLabeled(x=x, labels=labels, k=k, truth=torch.where(cluster < k, cluster, -1))


def texts(n: int = 60, length: int = 9, labels_per_class: int = 3) -> PartlyLabeled:
    """Token sequences of two classes, with words of their class among common ones; the last one is empty."""
    rng, truth = np.random.default_rng(0), np.arange(n) % 2
    common, own = rng.integers(1, 21, (n, length)), rng.integers(21, 31, (n, length))
    ids = np.where(rng.random((n, length)) < 0.5, own + 10 * truth[:, None], common)
    ids[np.arange(length) >= rng.integers(4, length + 1, n)[:, None]] = 0
    ids[-1] = 0
    labels = np.where(np.arange(n) < 2 * labels_per_class, truth, -1)
    return PartlyLabeled(
        x=Tokens(ids, 41), labels=torch.from_numpy(labels), k=2, truth=torch.from_numpy(truth)
    )


def with_outliers(k: int = 2) -> PartlyLabeled:
    """Sixty rows of three features with two labels per class, and a cluster of outliers."""
    centers = 3 * torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]])[: k + 1]
    return blobs(centers, [60 // (k + 1)] * (k + 1), [2] * k + [0], spread=1.0)


def moons(n: int = 300, labels_per_class: int = 3, noise: float = 0.08, seed: int = 0) -> PartlyLabeled:
    """Two interleaved half circles of which a few points are labeled."""
    generator = torch.Generator().manual_seed(seed)
    truth = torch.arange(n) % 2
    angle = torch.pi * torch.rand(n, generator=generator)
    upper = torch.stack([angle.cos(), angle.sin()], dim=1)
    lower = torch.stack([1 - angle.cos(), 0.5 - angle.sin()], dim=1)
    x = torch.where(truth[:, None] == 0, upper, lower) + noise * torch.randn(n, 2, generator=generator)
    labels = torch.where(torch.arange(n) < 2 * labels_per_class, truth, -1)
    return PartlyLabeled(x=x, labels=labels, k=2, truth=truth)


def accuracy(learned: Learned, data: PartlyLabeled) -> float:
    """Share of the rows with a class that are put into it."""
    assert data.truth is not None
    known = data.truth >= 0
    return (learned.predict(data.x) == data.truth)[known].float().mean().item()


def same(x: Tensor) -> Tensor:
    return x


@pytest.fixture
def model() -> Model:
    """A network without batch normalization: a row's output does not depend on its batch."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        encoder = nn.Sequential(nn.Linear(5, 12), nn.Tanh())
        return build_model(encoder, torch.zeros(2, 5), 3, projector=(6,))


@pytest.fixture
def batch() -> Batch:
    """Eight labeled rows and twelve unlabeled ones; strong views are the rows times one and a half."""
    generator = torch.Generator().manual_seed(1)
    x, u = (torch.randn(n, 5, generator=generator) for n in (8, 12))
    return Batch(x=x, y=torch.arange(8) % 3, u=u, weak=same, strong=lambda rows: 1.5 * rows)
