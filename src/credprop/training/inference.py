"""Outputs of a trained model for many rows."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int, Num
from torch import Tensor

from credprop.data.dataset import Rows, read_rows
from credprop.networks import Blend, Model

_BATCH = 256  # rows per batch


def predict_logits(
    model: Model | Blend, x: Rows, rows: Int[Tensor, " n"] | None = None
) -> Float[Tensor, "n k"]:
    """Logits of all rows of `x`, or of these, on the CPU. Leaves the model in evaluation mode."""
    return _in_batches(model, x, model, rows)


def embed(model: Model, x: Rows, rows: Int[Tensor, " n"] | None = None) -> Float[Tensor, "n d"]:
    """Output of the encoder for all rows of `x`, or for these, on the CPU.

    Leaves the model in evaluation mode.
    """
    return _in_batches(model, x, model.encoder, rows)


def project(model: Model, x: Rows, rows: Int[Tensor, " n"]) -> Float[Tensor, "n d"]:
    """Output of encoder and projector for these rows of `x`, on the CPU.

    Leaves the model in evaluation mode.
    """
    return _in_batches(model, x, model.project, rows)


def accuracy(model: Model, x: Rows, truth: Int[Tensor, " n"]) -> float:
    """Accuracy of the model on these rows."""
    return (predict_logits(model, x).argmax(dim=1) == truth).float().mean().item()


@torch.inference_mode()
def _in_batches(
    model: Model | Blend,
    x: Rows,
    network: Callable[[Tensor], Tensor],
    rows: Int[Tensor, " n"] | None = None,
) -> Tensor:
    """Output of a network of the model for all rows, or for these."""
    model.eval()
    device = next(model.buffers()).device
    outputs = []
    for index in (torch.arange(len(x)) if rows is None else rows).split(_BATCH):
        batch = _filled(read_rows(x, index))
        outputs.append(network(model.standardize(batch.to(device)))[: len(index)].float().cpu())
    return torch.cat(outputs)


def _filled(rows: Num[Tensor, "n ..."]) -> Num[Tensor, "m ..."]:
    """Vectors padded with rows of zeros to a full batch.

    Products of matrices of different sizes are rounded differently; with one size, the result for a vector
    does not depend on the rest of its batch.
    """
    if rows.dim() != 2 or not rows.is_floating_point():
        return rows
    return torch.cat([rows, rows.new_zeros(_BATCH - len(rows), rows.shape[1])])
