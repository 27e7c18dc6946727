"""`credprop list`: the presets, encoders, methods, scenarios and data sets that other commands accept."""

import json
from importlib import import_module
from typing import Any

import numpy as np
import torch

from credprop.ccp import PRESETS, choose_settings
from credprop.cli.console import Console
from credprop.data import PartlyLabeled, Tokens
from credprop.data.tokenizer import VOCABULARY
from credprop.estimator.serialization import to_json
from credprop.frozen import find_sentence_encoder
from credprop.networks import ENCODERS
from credprop.prepare import AUTO, TEXT_LENGTHS, Prepared


def print_choices(what: str, console: Console) -> None:
    """Print the names of one kind, each with a description."""
    if what not in _KINDS:
        raise ValueError(f"cannot list {what!r}; use one of {', '.join(_KINDS)}")
    choices = _KINDS[what]()
    width = max(14, *map(len, choices))
    lines = [f"{name:{width}} {_description(about)}" for name, about in choices.items()]
    console.result({what: choices}, "\n".join(lines).replace("{", "{{").replace("}", "}}"))


def _description(about: Any) -> str:
    """A description as text, or settings with one line each."""
    if isinstance(about, str):
        return about
    return "".join(f"\n  {name:16} {json.dumps(value)}" for name, value in about.items()) + "\n"


def _presets() -> dict[str, Any]:
    """All settings of each preset; those of `auto` for 1,000 rows of vectors, images and texts."""
    rows: dict[str, Prepared] = {
        "vectors": np.zeros((1000, 2), np.float32),
        "images": np.zeros((1000, 3, 2, 2), np.uint8),
        "text": Tokens(np.ones((1000, 1), np.int32), VOCABULARY),
    }
    labels = torch.zeros(1000, dtype=torch.long)
    data = {kind: PartlyLabeled(x=x, labels=labels, k=2) for kind, x in rows.items()}
    auto = {AUTO if kind == "vectors" else f"{AUTO} ({kind})": choose_settings(data[kind]) for kind in data}
    others = {
        name: choose_settings(data["text" if name in TEXT_LENGTHS else "images"], name)
        for name in PRESETS
        if name != AUTO
    }
    return {name: to_json(vars(settings)) for name, settings in (auto | others).items()}


def _encoders() -> dict[str, str]:
    about = {
        "mlp": "vectors: a multilayer perceptron with two layers and batch normalization",
        "resnet-small": "images: a small residual network, fast enough for a CPU",
        "wrn-28-2": "images: Wide ResNet 28-2, the paper's network for CIFAR-10",
        "wrn-28-8": "images: Wide ResNet 28-8, the paper's network for CIFAR-100",
    }
    frozen = {
        "text": "texts: a convolutional network on tokens; the paper's networks come with --preset text-...",
        "sentence": "texts: vectors from a pretrained sentence encoder; sentence:MODEL selects another model",
        "pretrained": "images: vectors from a pretrained network; pretrained:MODEL selects another model",
        "auto": "mlp for vectors, resnet-small for images, and for texts " + _auto_for_texts(),
    }
    return {name: about.get(name, "") for name in ENCODERS} | frozen


def _auto_for_texts() -> str:
    found = find_sentence_encoder()
    return f"{'sentence' if found.available else 'text'} ({found.reason})"


def _methods() -> dict[str, str]:
    """Each method with the first line of its module; variants of CCP with a description of their own."""
    from credprop.methods import ABLATIONS, METHODS, VECTORS_ONLY

    methods = {}
    for name in METHODS:
        about = _VARIANTS.get(name) or _first_line(f"credprop.methods.{name.replace('-', '_')}")
        methods[name] = about + (" (vectors only)" if name in VECTORS_ONLY else "")
    return methods | {name: f"Ablation: ccp-alone {one.about}." for name, one in ABLATIONS.items()}


def _first_line(module: str) -> str:
    return (import_module(module).__doc__ or "").splitlines()[0]


def _scenarios() -> dict[str, str]:
    from credprop.bench.scenarios import ABOUT, ABOUT_LABELS

    return ABOUT | ABOUT_LABELS


def _datasets() -> dict[str, str]:
    from credprop.bench import dataset_names

    return dataset_names()


_AS_IN_THE_PAPER = "Algorithm 1 as in the paper, with no addition of ours"
_VARIANTS = {
    "ccp": "The default of credprop: CCP, the supervised network and linear models, blended by a trial.",
    "ccp-alone": "Contrastive Credibility Propagation (CCP) without a trial, given labels clamped.",
    "ccp-untrusted": "CCP without a trial, given labels refined like all others.",
    "ccp-paper": f"{_AS_IN_THE_PAPER}; given labels clamped.",
    "ccp-paper-untrusted": f"{_AS_IN_THE_PAPER}; given labels refined like all others.",
}
_KINDS = {
    "presets": _presets,
    "encoders": _encoders,
    "methods": _methods,
    "scenarios": _scenarios,
    "datasets": _datasets,
}
