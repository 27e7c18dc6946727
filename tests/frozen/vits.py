"""Images, and folders of a tiny vision model as transformers writes them."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

SETTINGS: dict[str, Any] = {
    "size": {"height": 16, "width": 16},
    "image_mean": [0.2, 0.3, 0.4],
    "image_std": [0.5, 0.6, 0.7],
}


def images(n: int = 3, size: int = 16, channels: int = 3) -> np.ndarray:
    """Random images of bytes."""
    return np.random.default_rng(0).integers(0, 256, (n, size, size, channels), dtype=np.uint8)


def tiny_config() -> Any:
    from transformers import ViTConfig

    return ViTConfig(
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        image_size=16,
        patch_size=8,
    )


def tiny_vit(folder: Path, **settings: Any) -> Path:
    """A ViT with its pooling layer, and settings for its images."""
    from transformers import ViTModel

    return _save(ViTModel(tiny_config()), folder, settings)


def tiny_classifier(folder: Path) -> Path:
    """A ViT that was saved as a classifier, which has no pooling layer."""
    from transformers import ViTForImageClassification

    return _save(ViTForImageClassification(tiny_config()), folder, {})


def tiny_text(folder: Path) -> Path:
    """A model that reads tokens."""
    from transformers import BertConfig, BertModel

    tiny = BertConfig(
        vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    return _save(BertModel(tiny), folder, {})


def as_torch_saved(folder: Path) -> Path:
    """The same folder with its weights as torch saves them, and no safetensors."""
    from safetensors.torch import load_file

    weights = folder / "model.safetensors"
    torch.save(load_file(weights), folder / "pytorch_model.bin")
    weights.unlink()
    return folder


def on_hub(hub: Path, name: str, folder: Path) -> None:
    """The folder as a model that was fetched from the hub."""
    place = hub / f"models--{name.replace('/', '--')}"
    (place / "refs").mkdir(parents=True)
    (place / "refs" / "main").write_text("c0ffee")
    shutil.copytree(folder, place / "snapshots" / "c0ffee")


def _save(network: nn.Module, folder: Path, settings: dict[str, Any]) -> Path:
    from transformers.utils import logging

    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    network.save_pretrained(folder)  # type: ignore[operator]
    if shown:
        logging.enable_progress_bar()
    (folder / "preprocessor_config.json").write_text(json.dumps(SETTINGS | settings))
    return folder
