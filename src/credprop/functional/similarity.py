"""Angular similarity of embeddings."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from credprop.functional.precision import at_least_float32


def angular_similarity(z: Float[Tensor, "n d"]) -> Float[Tensor, "n n"]:
    """Pairwise angular similarity phi of the rows of `z`: 1 if they point alike, 0 if opposite.

        phi_ij = 1 - arccos(z_i . z_j / |z_i| |z_j|) / pi

    Half precision is raised to float32, under autocast too: a temperature of 0.01 multiplies a
    rounding error of phi by 100. A row of zeros has similarity 1/2 to every other row.

    Examples
    --------
    >>> z = torch.tensor([[1.0, 0.0], [0.0, 2.0], [-1.0, 0.0]])  # at 0, 90 and 180 degrees
    >>> angular_similarity(z)
    tensor([[1.0000, 0.5000, 0.0000],
            [0.5000, 1.0000, 0.5000],
            [0.0000, 0.5000, 1.0000]])
    """
    unit = unit_rows(z)
    with torch.autocast(z.device.type, enabled=False):
        cosine = unit @ unit.T  # (n, n)
    # The line `phi + slope * (cosine - fixed)` has the exact value (the bracket is zero) and this slope.
    fixed = cosine.detach()
    phi, slope = similarity_and_slope(fixed)
    return torch.addcmul(phi, slope, cosine - fixed)


def similarity_to(z: Float[Tensor, "n d"], others: Float[Tensor, "m d"]) -> Float[Tensor, "n m"]:
    """Angular similarity of each row of `z` to each of the `others`; no gradient.

    Examples
    --------
    >>> similarity_to(torch.tensor([[1.0, 0.0]]), torch.tensor([[3.0, 0.0], [0.0, 1.0]]))
    tensor([[1.0000, 0.5000]])
    """
    cosine = unit_rows(z.detach()) @ unit_rows(others.detach()).T
    return cosine.clamp_(-1, 1).arccos_().div_(-math.pi).add_(1)


def unit_rows(z: Float[Tensor, "n d"]) -> Float[Tensor, "n d"]:
    """The rows divided by their lengths, in float32 at least; a row of zeros stays one."""
    (z,) = at_least_float32(z)
    norm: Tensor = torch.linalg.vector_norm(z, dim=1, keepdim=True)
    return z / norm.where(norm > 0, 1)


def similarity_and_slope(
    cosine: Float[Tensor, "n n"],
) -> tuple[Float[Tensor, "n n"], Float[Tensor, "n n"]]:
    """Angular similarity of rows with these cosines, and its slope, zero on the diagonal.

    The slope of arccos is infinite at -1 and 1, where the cosine's own gradient vanishes. Clamping the cosine
    would stop the gradient of every close pair; bounding the slope keeps its direction.
    """
    phi = cosine.clamp(-1, 1).arccos_().div_(-math.pi).add_(1).fill_diagonal_(1)
    square = cosine.square().neg_().add_(1).clamp_(min=torch.finfo(cosine.dtype).eps)
    return phi, square.rsqrt_().div_(math.pi).fill_diagonal_(0)
