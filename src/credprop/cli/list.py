"""`credprop list`: what can be named elsewhere."""

import json
from importlib import import_module
from typing import Any

import numpy as np
import torch

from credprop.ccp import PRESETS, TEXT_LENGTHS, choose_settings
from credprop.cli.console import Screen
from credprop.data import PartlyLabeled, Tokens
from credprop.data.tokenizer import VOCABULARY
from credprop.estimator.serialization import in_json
from credprop.frozen import find_sentence_encoder
from credprop.networks import ENCODERS
from credprop.prepare import AUTO, Prepared


def show_names(what: str, screen: Screen) -> None:
    """Print the names of one kind, each with a word about it."""
    if what not in _KINDS:
        raise ValueError(f"nothing is called {what!r}; list one of {', '.join(_KINDS)}")
    found = _KINDS[what]()
    width = max(14, *map(len, found))
    lines = [f"{name:{width}} {_in_lines(about)}" for name, about in found.items()]
    screen.result({what: found}, "\n".join(lines).replace("{", "{{").replace("}", "}}"))


def _in_lines(about: Any) -> str:
    """A word about a name, or its settings one to a line."""
    if isinstance(about, str):
        return about
    return "".join(f"\n  {name:16} {json.dumps(value)}" for name, value in about.items()) + "\n"


def _presets() -> dict[str, Any]:
    """All settings of each; `auto` as it is for a thousand vectors, and for as many images and texts."""
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
    return {name: in_json(vars(settings)) for name, settings in (auto | others).items()}


def _encoders() -> dict[str, str]:
    about = {
        "mlp": "vectors: two layers with batch normalization",
        "resnet-small": "small images: a residual network that a CPU can train",
        "wrn-28-2": "images: the paper's network for CIFAR-10",
        "wrn-28-8": "images: the paper's network for CIFAR-100",
    }
    frozen = {
        "text": "texts: a network of convolutions, on tokens; the paper's own with --preset text-...",
        "sentence": "texts: vectors of a frozen sentence encoder; sentence:MODEL names another one",
        "pretrained": "images: vectors of a frozen network; pretrained:MODEL names another one",
        "auto": "mlp for vectors, resnet-small for images; for texts " + _auto_for_texts(),
    }
    return {name: about.get(name, "") for name in ENCODERS} | frozen


def _auto_for_texts() -> str:
    found = find_sentence_encoder()
    return f"{'sentence' if found.available else 'text'} ({found.reason})"


def _methods() -> dict[str, str]:
    """Each method, as its file introduces it."""
    from credprop.methods import ABLATIONS, METHODS, VECTORS_ONLY

    found = {}
    for name in METHODS:
        module = import_module(
            f"credprop.methods.{name.removesuffix('-untrusted').removesuffix('-paper').replace('-', '_')}"
        )
        words = (module.__doc__ or "").splitlines()[0]
        found[name] = words + (" (vectors only)" if name in VECTORS_ONLY else "")
    found["ccp-untrusted"] = "The same, given labels refined like all others."
    found["ccp-paper"] = "Algorithm 1 of the paper with no addition of ours."
    found["ccp-paper-untrusted"] = "The same, given labels refined like all others."
    return found | {name: f"An ablation: ccp with {one.about}." for name, one in ABLATIONS.items()}


def _scenarios() -> dict[str, str]:
    from credprop.bench.scenarios import ABOUT, ABOUT_LABELS

    return ABOUT | ABOUT_LABELS


def _datasets() -> dict[str, str]:
    from credprop.bench import dataset_names

    return dataset_names()


_KINDS = {
    "presets": _presets,
    "encoders": _encoders,
    "methods": _methods,
    "scenarios": _scenarios,
    "datasets": _datasets,
}
