"""Residual networks for small images (Zagoruyko and Komodakis 2016, arXiv:1605.07146)."""

from collections.abc import Sequence

from torch import Tensor, nn


def wide_resnet(depth: int = 28, widen: int = 2, channels: int = 3) -> nn.Sequential:
    """WRN-depth-widen: three groups of (depth - 4) / 6 blocks with 16, 32 and 64 times `widen` filters."""
    blocks = (depth - 4) // 6
    return _residual(channels, 16, [16 * widen, 32 * widen, 64 * widen], blocks)


def small_resnet(channels: int = 3) -> nn.Sequential:
    """A small residual network for CPUs: blocks of 32, 64 and 128 filters, each halving the image size."""
    return _residual(channels, 16, [32, 64, 128], blocks=1, first_stride=2)


def _residual(
    channels: int, stem: int, widths: Sequence[int], blocks: int, first_stride: int = 1
) -> nn.Sequential:
    """Stem, groups of blocks that halve the image size (the first by `first_stride`), average pooling."""
    layers: list[nn.Module] = [_convolution(channels, stem)]
    before = stem
    for group, width in enumerate(widths):
        for block in range(blocks):
            stride = 1 if block else 2 if group else first_stride
            layers.append(_Block(before, width, stride))
            before = width
    layers += [nn.BatchNorm2d(before), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return nn.Sequential(*layers)


def _convolution(before: int, after: int, size: int = 3, stride: int = 1) -> nn.Conv2d:
    convolution = nn.Conv2d(before, after, size, stride, padding=size // 2, bias=False)
    nn.init.kaiming_normal_(convolution.weight, mode="fan_out", nonlinearity="relu")
    return convolution


class _Block(nn.Module):
    """Two convolutions, each after batch normalization and ReLU, with a shortcut."""

    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.activate = nn.Sequential(nn.BatchNorm2d(before), nn.ReLU(inplace=True))
        self.convolve = nn.Sequential(
            _convolution(before, after, stride=stride),
            nn.BatchNorm2d(after),
            nn.ReLU(inplace=True),
            _convolution(after, after),
        )
        same = before == after and stride == 1
        self.shortcut = None if same else _convolution(before, after, size=1, stride=stride)

    def forward(self, x: Tensor) -> Tensor:
        active = self.activate(x)
        residual = x if self.shortcut is None else self.shortcut(active)
        result: Tensor = residual + self.convolve(active)
        return result
