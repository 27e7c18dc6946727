"""A run before its first step, and rows on their way into the networks."""

import torch
from jaxtyping import Int, Num
from torch import Tensor

from credprop.augment import Augment, Embedded, takes_vectors
from credprop.ccp.settings import Settings
from credprop.ccp.state import State, Tables
from credprop.data import PartlyLabeled
from credprop.networks import build_model, embedding_table
from credprop.training.device import Compute


def new_state(data: PartlyLabeled, settings: Settings, seed: int, compute: Compute) -> State:
    """A run before its first step."""
    sample = data.sample()
    scale = data.mean_and_scale() if data.kind == "vectors" else None
    model = build_model(settings.encoder, sample, data.k, scale, settings.projector, settings.classifier)
    # Convolutions on a CPU are twice as fast with channels last.
    model = model.to(compute.device, memory_format=torch.channels_last)  # type: ignore[call-overload]
    generator = torch.Generator().manual_seed(seed)
    state = State(
        data, settings, compute, model, generator, Tables.of(data), pretrained={}, d_max=settings.d_max
    )
    state.keep_pretrained()
    return state


def two_views(state: State, index: Int[Tensor, " n"]) -> Num[Tensor, "two_n ..."]:
    """Both transformed views of the samples at these indices."""
    x = standardized(state, index)
    return augmented(state, state.settings.augment, torch.cat([x, x]))


def standardized(state: State, index: Int[Tensor, " n"]) -> Num[Tensor, "n ..."]:
    """The samples at these indices as the augmentation and the encoder expect them."""
    return state.model.standardize(state.data.rows(index).to(state.compute.device))


def augmented(state: State, augment: Augment, x: Num[Tensor, "n ..."]) -> Num[Tensor, "n ..."]:
    """A transformed view of each of these rows, images with channels last in memory as the model has them.

    Of texts these are vectors where the transform works on vectors, else ids.
    """
    rows = Embedded(x, embedding_table(state.model.encoder)) if takes_vectors(augment) else x
    made = augment(rows, state.generator)
    return made.contiguous(memory_format=torch.channels_last) if made.dim() == 4 else made
