"""A run before its first step, and rows on their way into the networks."""

import torch
from jaxtyping import Int, Num
from torch import Tensor

from credprop.augment import Augment, Embedded, takes_vectors
from credprop.ccp.settings import Settings
from credprop.ccp.state import Run, Tables
from credprop.data import PartlyLabeled
from credprop.networks import build_model, embedding_table
from credprop.training.device import Compute


def new_run(data: PartlyLabeled, settings: Settings, seed: int, compute: Compute) -> Run:
    """A run before its first step."""
    sample = data.sample()
    scale = data.mean_and_scale() if data.kind == "vectors" else None
    model = build_model(settings.encoder, sample, data.k, scale, settings.projector, settings.classifier)
    # Convolutions on a CPU are twice as fast with channels last.
    model = model.to(compute.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    generator = torch.Generator().manual_seed(seed)
    run = Run(data, settings, compute, model, generator, Tables.of(data), start={}, d_max=settings.d_max)
    run.remember_start()
    return run


def two_views(run: Run, index: Int[Tensor, " n"]) -> Num[Tensor, "two_n ..."]:
    """Both transformed views of the samples at these indices."""
    x = standardized(run, index)
    return views(run, run.settings.augment, torch.cat([x, x]))


def standardized(run: Run, index: Int[Tensor, " n"]) -> Num[Tensor, "n ..."]:
    """The samples at these indices as the augmentation and the encoder expect them."""
    return run.model.standardize(run.data.rows(index).to(run.compute.device))


def views(run: Run, augment: Augment, x: Num[Tensor, "n ..."]) -> Num[Tensor, "n ..."]:
    """A transformed view of each of these rows, images with channels last in memory as the model has them.

    Of texts these are vectors where the transform works on vectors, else ids.
    """
    rows = Embedded(x, embedding_table(run.model.encoder)) if takes_vectors(augment) else x
    made = augment(rows, run.generator)
    return made.contiguous(memory_format=torch.channels_last) if made.dim() == 4 else made
