"""One precision for an equation, and no half precision where rounding would be multiplied."""

import torch
from jaxtyping import Float
from torch import Tensor


def at_least_float32(*tensors: Float[Tensor, "..."]) -> tuple[Float[Tensor, "..."], ...]:
    """The tensors in the widest of their types, float32 if all are narrower."""
    dtype = torch.float32
    for tensor in tensors:
        dtype = torch.promote_types(dtype, tensor.dtype)
    return tuple(t.to(dtype) for t in tensors)
