"""Batches to try the mathematics on."""

import pytest
import torch
from torch import Tensor
from torch.nn.functional import one_hot

from credprop.functional import adjust


def embeddings(n: int, d: int = 5, seed: int = 0) -> Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def sparse_credibility(n: int, k: int, seed: int = 0) -> Tensor:
    """One class a row, strengths in [0, 1], every fourth row zero, the last class without support."""
    generator = torch.Generator().manual_seed(seed)
    c = torch.randint(k - 1, (n,), generator=generator)
    s = torch.rand(n, 1, generator=generator, dtype=torch.float64)
    s[::4] = 0
    return one_hot(c, k) * s


def dense_credibility(n: int, k: int, seed: int = 0) -> Tensor:
    """Several classes a row."""
    return torch.rand(n, k, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def unclipped_credibility(n: int, k: int, seed: int = 0) -> Tensor:
    """Adjusted vectors, with their negative entries."""
    return adjust(dense_credibility(n, k, seed))


CREDIBILITY = {"sparse": sparse_credibility, "dense": dense_credibility, "unclipped": unclipped_credibility}


@pytest.fixture(params=CREDIBILITY)
def q(request: pytest.FixtureRequest) -> Tensor:
    """Credibility vectors of 12 rows and 4 classes, in each form that they can take."""
    return CREDIBILITY[request.param](12, 4)
