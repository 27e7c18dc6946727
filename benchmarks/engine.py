"""Overhead of training over the networks and the core functions, as ratios within one run.

1. One CCP step with WRN-28-2 (64 samples, two views), relative to forward and backward of the encoder. 2. One
CCP step with an MLP of 384-512-512 (512 samples, two views, 100 classes) with data access and augmentation,
relative to the encoder plus the core step of `core.py`, and relative to the encoder plus the fused core step.
3. The augmentation of 256 x 3 x 32 x 32 images, relative to the first step; the batches of an epoch, relative
to its steps.
"""

import math
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn

from core import core_step, run
from credprop.augment import ImageAugment, VectorAugment
from credprop.ccp import Settings
from credprop.ccp.algorithm import contrast_and_propagate
from credprop.ccp.epochs import begin
from credprop.ccp.setup import new_state, two_views
from credprop.ccp.stages import Stage
from credprop.ccp.state import State
from credprop.data import PartlyLabeled, balanced_batches
from credprop.functional import adjust, contrast_views, mean_of_views
from credprop.networks import mlp
from credprop.training import Compute, Phase

Work = Callable[[], object]


def best(works: dict[str, Work], repeats: int) -> dict[str, float]:
    """Best seconds of each function; they alternate, and each has an untimed warm-up run."""
    times = dict.fromkeys(works, math.inf)
    for _ in range(repeats):
        for name, work in works.items():
            work()
            start = time.perf_counter()
            work()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def problem(x: np.ndarray, k: int, encoder: str | nn.Module, size: int) -> State:
    """A run in the middle of an iteration: a tenth of the samples labeled, the others pseudo-labeled."""
    n = len(x)
    labels = torch.where(torch.arange(n) % 10 == 0, torch.arange(n) % k, -1)
    phase = Phase(epochs=10, batch_size=size, lr=0.06)
    augment = ImageAugment() if x.ndim == 4 else VectorAugment()
    settings = Settings(
        encoder=encoder, augment=augment, pretrain=None, first=phase, refine=phase, build=phase, iterations=1
    )
    data = PartlyLabeled(x=x, labels=labels, k=k)
    learning = new_state(data, settings, 0, Compute(torch.device("cpu")))
    learning.tables.q = nn.functional.one_hot(torch.arange(n) % k, k) * torch.rand(n, 1)
    stage = Stage("refine", 1, phase)
    begin(learning, stage, reset=False)
    learning.model.train()
    return learning


def engine_step(learning: State, index: Tensor) -> Work:
    """One training step, from indices to new weights."""

    def work() -> None:
        assert learning.learner is not None
        terms = contrast_and_propagate(learning, index)
        learning.learner.step(terms["contrastive"], 0.0)

    return work


def encoder_only(encoder: nn.Module, views: Tensor) -> Work:
    """Forward and backward of the encoder on the same views."""
    slope = torch.randn_like(encoder(views))

    def work() -> None:
        encoder.zero_grad(set_to_none=True)
        encoder(views).backward(slope)

    return work


def fused_core_step(z: Tensor, q: Tensor) -> None:
    """The core step as in training, for views that share their credibility, without judging labels."""
    loss, heard, _ = contrast_views(z, q[: len(q) // 2], torch.arange(0))
    mean_of_views(adjust(heard))
    loss.backward()


def images(rng: np.random.Generator) -> None:
    """WRN-28-2, and the augmentation of images."""
    x = rng.integers(0, 256, (256, 3, 32, 32)).astype(np.uint8)
    learning = problem(x, 10, "wrn-28-2", 64)
    index, generator = torch.arange(64), torch.Generator().manual_seed(0)
    views, batch = two_views(learning, index), learning.data.rows(torch.arange(256))
    times = best(
        {
            "step": engine_step(learning, index),
            "encoder": encoder_only(learning.model.encoder, views),
            "augment": lambda: ImageAugment()(batch, generator),
        },
        repeats=5,
    )
    show("WRN-28-2: step / encoder", times["step"], times["encoder"], 1.15)
    show("augmentation of 256 images / step of WRN-28-2", times["augment"], times["step"], 0.10)


def vectors(rng: np.random.Generator) -> None:
    """An MLP, and the batches of an epoch."""
    x = rng.normal(size=(5120, 384)).astype(np.float32)
    learning = problem(x, 100, mlp(384, (512, 512)), 512)
    index = torch.arange(512)
    views = two_views(learning, index)
    z, q = torch.randn(1024, 128), learning.tables.q[index].repeat(2, 1)
    table, generator = learning.tables.q, torch.Generator().manual_seed(0)
    times = best(
        {
            "step": engine_step(learning, index),
            "encoder": encoder_only(learning.model.encoder, views),
            "core": lambda: run(core_step, z, q),
            "fused core": lambda: run(fused_core_step, z, q),
            "batches": lambda: balanced_batches(table, 512, generator),
        },
        repeats=40,
    )
    show("MLP 384-512-512: step / (encoder + core)", times["step"], times["encoder"] + times["core"], 1.15)
    show("fused core, as in training / core", times["fused core"], times["core"], None)
    show("step / (encoder + fused core)", times["step"], times["encoder"] + times["fused core"], None)
    show("batches of an epoch / its 10 steps", times["batches"], 10 * times["step"], 0.02)


def show(name: str, seconds: float, against: float, target: float | None) -> None:
    """One line of the table."""
    ratio = f"{1e3 * seconds:8.2f} ms / {1e3 * against:8.2f} ms = {seconds / against:6.3f}"
    print(f"{name:46} {ratio}" + ("" if target is None else f"  (at most {target})"))


def main() -> None:
    """Print the table."""
    torch.set_num_threads(2)
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    vectors(rng)
    images(rng)


if __name__ == "__main__":
    main()
