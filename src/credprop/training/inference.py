"""What a model says of samples."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int, Num
from torch import Tensor

from credprop.data.dataset import Rows, read_rows
from credprop.networks import Model

_BATCH = 256  # rows at once


def predict_logits(model: Model, x: Rows) -> Float[Tensor, "n k"]:
    """Logits of every row of `x`, on the CPU; the model is left in evaluation mode."""
    return _in_batches(model, x, model)


def embed(model: Model, x: Rows, rows: Int[Tensor, " n"] | None = None) -> Float[Tensor, "n d"]:
    """What the encoder makes of every row of `x`, or of these; on the CPU.

    The model is left in evaluation mode.
    """
    return _in_batches(model, x, model.encoder, rows)


def project(model: Model, x: Rows, rows: Int[Tensor, " n"]) -> Float[Tensor, "n d"]:
    """What encoder and projector make of these rows of `x`, on the CPU.

    The model is left in evaluation mode.
    """
    return _in_batches(model, x, model.project, rows)


def accuracy(model: Model, x: Rows, truth: Int[Tensor, " n"]) -> float:
    """Share of rows that the model puts into their true class."""
    return (predict_logits(model, x).argmax(dim=1) == truth).float().mean().item()


@torch.inference_mode()
def _in_batches(
    model: Model, x: Rows, network: Callable[[Tensor], Tensor], rows: Int[Tensor, " n"] | None = None
) -> Tensor:
    """What a network of the model makes of every row, or of these."""
    model.eval()
    device = model.mean.device
    outputs = []
    for index in (torch.arange(len(x)) if rows is None else rows).split(_BATCH):
        batch = _filled(read_rows(x, index))
        outputs.append(network(model.standardize(batch.to(device)))[: len(index)].float().cpu())
    return torch.cat(outputs)


def _filled(rows: Num[Tensor, "n ..."]) -> Num[Tensor, "m ..."]:
    """Vectors with zeros after them, up to a whole batch.

    Products of matrices of other sizes round otherwise: so a vector gets the same in whatever company.
    """
    if rows.dim() != 2 or not rows.is_floating_point():
        return rows
    return torch.cat([rows, rows.new_zeros(_BATCH - len(rows), rows.shape[1])])
