"""Residual networks have the published size."""

import pytest
import torch
from torch import nn

from credprop.networks import small_resnet, wide_resnet


def parameters(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


@pytest.mark.parametrize(("widen", "width", "millions"), [(2, 128, 1.5), (8, 512, 23.4)])
def test_wide_residual_networks_have_the_published_size(widen: int, width: int, millions: float) -> None:
    network = wide_resnet(28, widen)
    assert sum(isinstance(m, nn.Conv2d) and m.kernel_size == (3, 3) for m in network.modules()) == 25
    head = 100 * (width + 1)  # a linear classifier of 100 classes, counted in the published sizes
    assert round((parameters(network) + head) / 1e6, 1) == millions
    if widen == 2:
        assert network(torch.zeros(2, 3, 32, 32)).shape == (2, width)


def test_small_network_is_small_and_takes_gray_images() -> None:
    assert parameters(small_resnet()) < 350_000
    assert small_resnet(1)(torch.zeros(2, 1, 28, 28)).shape == (2, 128)
