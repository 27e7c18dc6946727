"""Vision models of transformers: their settings for pictures, and one vector a picture."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from torch import Tensor, nn

from credprop.frozen.hub import loading
from credprop.frozen.preprocess import Intake

_INTERPOLATION = {0: "nearest-exact", 2: "bilinear", 3: "bicubic"}  # numbers as Pillow has them
_SETTINGS = ("processor_config", "preprocessor_config", "config")
_SIZE = 224  # where neither the settings nor the network name one


class Pooled(nn.Module):
    """A vision model whose output is what it pools itself, or else the mean of its tokens or pixels."""

    def __init__(self, network: nn.Module, folder: Path, *, pools: bool) -> None:
        super().__init__()
        self.network, self.folder, self.pools = network, folder, pools

    def forward(self, x: Tensor) -> Tensor:
        """Vectors (n, d) of pictures as the model wants them."""
        with _for_pictures(self.folder):
            return self._pool(self.network(pixel_values=x))

    def _pool(self, output: Any) -> Tensor:
        pooled: Tensor | None = getattr(output, "pooler_output", None) if self.pools else None
        if pooled is not None:
            return pooled.flatten(start_dim=1)
        hidden: Tensor = output.last_hidden_state
        return hidden.mean(dim=1) if hidden.dim() == 3 else hidden.mean(dim=(2, 3))


@contextmanager
def _for_pictures(folder: Path) -> Iterator[None]:
    """What a model for something else raises is an error of one line that names the model."""
    try:
        yield
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0][:160]
        raise ValueError(
            f"{folder}: is no vision model that gives vectors ({said}); give another model"
        ) from error


def load_pooled(folder: Path) -> Pooled:
    """The vision model of a folder; of one for pictures and text its half for pictures.

    A pooling layer that did not come with the weights would be random: such a model is averaged.
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
        raise ValueError(f"{folder}: the weights lack {lacking[0]}; give a folder that holds all of them")
    return Pooled(getattr(network, "vision_model", network), folder, pools=not random)


def read_intake(folder: Path) -> Intake:
    """What a model's own settings say about size, mean and spread of pictures."""
    joint, own, config = (_read(folder / f"{name}.json") for name in _SETTINGS)
    with _for_pictures(folder):
        return _intake(own or joint.get("image_processor", {}), config)


def _intake(settings: Mapping[str, Any], config: Mapping[str, Any]) -> Intake:
    scale = 255 * settings.get("rescale_factor", 1 / 255) if settings.get("do_rescale", True) else 255.0
    mean, spread = settings.get("image_mean", [0.5] * 3), settings.get("image_std", [0.5] * 3)
    if not settings.get("do_normalize", True):
        mean, spread = [0.0] * 3, [1.0] * 3
    cropped = settings.get("do_center_crop") and settings.get("crop_size")
    return Intake(
        size=_pair(cropped or settings.get("size") or _own_size(config)),
        mean=_three("image_mean", mean, scale),
        spread=_three("image_std", spread, scale),
        interpolation=_INTERPOLATION.get(settings.get("resample", 3), "bicubic"),
    )


def _own_size(config: Mapping[str, Any]) -> Any:
    """The size of pictures that a network was made for."""
    return config.get("image_size") or config.get("vision_config", {}).get("image_size") or _SIZE


def _pair(size: Any) -> tuple[int, int]:
    """Height and width from any of the ways in which transformers writes a size."""
    if isinstance(size, Mapping):
        one = next(iter(size.values()))
        return int(size.get("height", one)), int(size.get("width", one))
    if isinstance(size, list):
        return int(size[0]), int(size[-1])
    return int(size), int(size)


def _three(name: str, values: Any, scale: float) -> tuple[float, float, float]:
    """Values of the three channels for pictures in [0, 1]."""
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
