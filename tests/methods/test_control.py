"""The control method alone sees the true labels."""

import dataclasses

import pytest
import torch

from credprop.data import PartlyLabeled
from credprop.methods import METHODS, Learned, choose_method
from methods.conftest import CPU, small, with_outliers


def run(name: str, data: PartlyLabeled, seed: int = 0) -> Learned:
    return choose_method(name)(data, small(20), seed, compute=CPU)


def test_no_method_but_the_control_looks_at_the_truth() -> None:
    data = with_outliers()
    blind = dataclasses.replace(data, truth=None)
    for name in sorted(set(METHODS) - {"control"}):
        assert torch.equal(run(name, data).predict(data.x), run(name, blind).predict(data.x))
    with pytest.raises(ValueError, match="pass them as `truth`"):
        run("control", blind)
