"""The control method alone sees the true labels."""

import dataclasses

import pytest
import torch

from credprop.data import PartlyLabeled
from credprop.methods import METHODS, Learned, choose_method
from methods.conftest import CPU, blobs, small


def with_strangers(k: int = 2) -> PartlyLabeled:
    """Sixty rows of three features, two labels a class, a third cluster or a fourth of strangers."""
    centers = 3 * torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]])[: k + 1]
    return blobs(centers, [60 // (k + 1)] * (k + 1), [2] * k + [0], spread=1.0)


def run(name: str, data: PartlyLabeled, seed: int = 0) -> Learned:
    return choose_method(name)(data, small(20), seed, compute=CPU)


def test_no_method_but_the_control_looks_at_the_truth() -> None:
    data = with_strangers()
    blind = dataclasses.replace(data, truth=None)
    for name in sorted(set(METHODS) - {"control"}):
        assert torch.equal(run(name, data).predict(data.x), run(name, blind).predict(data.x))
    with pytest.raises(ValueError, match="give the data its `truth`"):
        run("control", blind)
