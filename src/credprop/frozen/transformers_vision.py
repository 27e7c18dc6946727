"""Vision models of transformers: their preprocessing, and one vector per image."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from credprop.data.error_text import first_line
from credprop.frozen.hub import loading
from credprop.frozen.preprocess import Preprocessing

_INTERPOLATION = {0: "nearest-exact", 2: "bilinear", 3: "bicubic"}  # numbers as Pillow has them
_SETTINGS = ("processor_config", "preprocessor_config", "config")
_SIZE = 224  # where neither the settings nor the network have one


class VisionModel(nn.Module):
    """A vision model with its own pooled output, or else the mean of its tokens or pixels."""

    def __init__(self, network: nn.Module, folder: Path, *, pools: bool) -> None:
        super().__init__()
        self.network, self.folder, self.pools = network, folder, pools

    def forward(self, x: Tensor) -> Tensor:
        """Vectors (n, d) of preprocessed images."""
        with _vision_model_errors(self.folder):
            return self._pool(self.network(pixel_values=x))

    def _pool(self, output: Any) -> Tensor:
        pooled: Tensor | None = getattr(output, "pooler_output", None) if self.pools else None
        if pooled is not None:
            return pooled.flatten(start_dim=1)
        hidden: Tensor = output.last_hidden_state
        return hidden.mean(dim=1) if hidden.dim() == 3 else hidden.mean(dim=(2, 3))


@contextmanager
def _vision_model_errors(folder: Path) -> Iterator[None]:
    """Errors of a model that is not for images become one line that names the model."""
    try:
        yield
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        raise ValueError(
            f"{folder}: is not a vision model that returns vectors ({first_line(error)}); use another model"
        ) from error


def load_vision_model(folder: Path) -> VisionModel:
    """The vision model of a folder; of a model for images and text, its image part.

    A pooling layer without weights would be random: the outputs of such a model are averaged instead.
    """
    with loading(folder):
        from transformers import AutoModel

        network, about = AutoModel.from_pretrained(
            folder,
            local_files_only=True,
            trust_remote_code=False,
            weights_only=True,
            dtype="float32",
            output_loading_info=True,
        )
    random = sorted(about["missing_keys"])
    if lacking := [key for key in random if "pooler" not in key]:
        raise ValueError(f"{folder}: the weights lack {lacking[0]}; use a folder that contains all of them")
    return VisionModel(getattr(network, "vision_model", network), folder, pools=not random)


def read_preprocessing(folder: Path) -> Preprocessing:
    """The preprocessing that a model's own settings ask for."""
    joint, own, config = (_read(folder / f"{name}.json") for name in _SETTINGS)
    with _vision_model_errors(folder):
        return _preprocessing(own or joint.get("image_processor", {}), config)


def _preprocessing(settings: Mapping[str, Any], config: Mapping[str, Any]) -> Preprocessing:
    scale = 255 * settings.get("rescale_factor", 1 / 255) if settings.get("do_rescale", True) else 255.0
    mean, spread = settings.get("image_mean", [0.5] * 3), settings.get("image_std", [0.5] * 3)
    if not settings.get("do_normalize", True):
        mean, spread = [0.0] * 3, [1.0] * 3
    cropped = settings.get("do_center_crop") and settings.get("crop_size")
    return Preprocessing(
        size=_pair(cropped or settings.get("size") or _own_size(config)),
        mean=_three("image_mean", mean, scale),
        spread=_three("image_std", spread, scale),
        interpolation=_INTERPOLATION.get(settings.get("resample", 3), "bicubic"),
    )


def _own_size(config: Mapping[str, Any]) -> Any:
    """The image size that a network was made for."""
    return config.get("image_size") or config.get("vision_config", {}).get("image_size") or _SIZE


def _pair(size: Any) -> tuple[int, int]:
    """Height and width from any format in which transformers writes a size."""
    if isinstance(size, Mapping):
        one = next(iter(size.values()))
        return int(size.get("height", one)), int(size.get("width", one))
    if isinstance(size, list):
        return int(size[0]), int(size[-1])
    return int(size), int(size)


def _three(name: str, values: Any, scale: float) -> tuple[float, float, float]:
    """Values of the three channels for images in [0, 1]."""
    if values is None:
        raise TypeError(f"{name} is null")
    red, green, blue = values if isinstance(values, list) else [values] * 3
    return red / scale, green / scale, blue / scale


def _read(file: Path) -> dict[str, Any]:
    if not file.is_file():
        return {}
    with loading(file):
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content
