"""What a model says of samples."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.data.partly_labeled import Rows, read_rows
from credprop.networks import Model


def predict_logits(model: Model, x: Rows) -> Float[Tensor, "n k"]:
    """Logits of every row of `x`, on the CPU; the model is left in evaluation mode."""
    return _in_batches(model, x, model)


def embed(model: Model, x: Rows) -> Float[Tensor, "n d"]:
    """What the encoder makes of every row of `x`, on the CPU; the model is left in evaluation mode."""
    return _in_batches(model, x, model.encoder)


def accuracy(model: Model, x: Rows, truth: Int[Tensor, " n"]) -> float:
    """Share of rows that the model puts into their true class."""
    return (predict_logits(model, x).argmax(dim=1) == truth).float().mean().item()


@torch.inference_mode()
def _in_batches(model: Model, x: Rows, network: Callable[[Tensor], Tensor]) -> Tensor:
    """What a network of the model makes of every row."""
    model.eval()
    device = model.mean.device
    first = read_rows(x, torch.arange(1))
    vectors = first.dim() == 2 and first.is_floating_point()
    outputs = [
        network(model.standardize(read_rows(x, index).to(device))).float().cpu()
        for index in torch.arange(len(x)).split(4096 if vectors else 256)
    ]
    return torch.cat(outputs)
