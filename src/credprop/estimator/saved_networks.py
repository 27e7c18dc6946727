"""The networks of a saved classifier: what `config.json` says about them, and back."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from credprop.data import read_rows
from credprop.estimator.parameters import choose_encoder, is_encoder_name
from credprop.estimator.serialization import from_json, import_path, to_json
from credprop.networks import ENCODERS, Blend, Model, TextEncoder, TextNetwork, build_model
from credprop.prepare import TextTokens

if TYPE_CHECKING:
    from credprop.estimator.classifier import CCPClassifier


def networks_to_json(classifier: "CCPClassifier") -> dict[str, Any]:
    """Encoder, members and classes."""
    return {
        "encoder": _encoder_to_json(classifier),
        "sample_shape": _network_shape(classifier),
        "classes": len(classifier.classes_),
        "members": {name: _heads(member) for name, member in classifier.model_.members.items()},
        "placing": classifier.model_.name_of_placing,
    }


def _network_shape(classifier: "CCPClassifier") -> list[int]:
    """The shape of a row as the network has it."""
    preparation = classifier.preparation_
    if isinstance(preparation, TextTokens):
        return [preparation.length]
    return list(
        classifier.sample_shape_ if preparation.kind == "arrays" else classifier.model_.placing.mean.shape
    )


def _encoder_to_json(classifier: "CCPClassifier") -> Any:
    """The encoder: its name, the parts of the text network, or the import path of its code."""
    given, built = classifier.encoder, classifier.settings_.encoder
    if isinstance(built, str):
        return built
    if isinstance(built, TextNetwork | TextEncoder):
        return to_json(built.network if isinstance(built, TextEncoder) else built)
    return given if isinstance(given, str) and not is_encoder_name(given) else import_path(built)


def _heads(member: Model) -> dict[str, Any]:
    """What of a member is not the network's: whether it has an encoder, and the widths of its heads."""
    widths = {
        name: [layer.out_features for layer in getattr(member, name) if isinstance(layer, nn.Linear)]
        for name in ("projector", "classifier")
    }
    return {"encodes": not isinstance(member.encoder, nn.Identity)} | widths


def saved_blend(
    encoder: str | TextNetwork | nn.Module,
    network: dict[str, Any],
    tensors: dict[str, Tensor],
    *,
    tokens: bool,
) -> Blend:
    """The members with the saved weights, and their temperatures and weights."""
    own = {name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")}
    members = {
        name: _member(encoder, network, heads, _part(own, f"members.{name}."), tokens=tokens)
        for name, heads in network["members"].items()
    }
    named = network["placing"] in members and len(own["weights"]) == len(own["temperature"]) == len(members)
    if not named:
        raise TypeError("members, weights and temperatures do not belong together")
    # The memory format of the training: with another one, results are rounded differently.
    blend = Blend(members, own["temperature"], own["weights"], network["placing"]).eval()
    return blend.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}


def _member(
    encoder: str | TextNetwork | nn.Module,
    network: dict[str, Any],
    heads: dict[str, Any],
    weights: dict[str, Tensor],
    *,
    tokens: bool,
) -> Model:
    """A member with the saved weights."""
    zeros = torch.zeros(2, *network["sample_shape"])
    sample = zeros.long() if tokens else read_rows(zeros, torch.arange(2))
    scale = weights["mean"], weights["scale"]
    if not heads["classifier"] or heads["classifier"][-1] != network["classes"]:
        raise TypeError(f"a member does not have the {network['classes']} classes of config.json")
    *hidden, classes = heads["classifier"]
    own = encoder if heads["encodes"] else nn.Identity()
    try:
        model = build_model(own, sample, classes, scale, heads["projector"], hidden)
        model.load_state_dict(weights)
    except RuntimeError as error:
        if not isinstance(encoder, nn.Module):
            raise
        raise ValueError(
            f"the weights do not fit the encoder {import_path(encoder)}; pass one of the same "
            "architecture as `encoder`"
        ) from error
    return model


def saved_encoder(
    saved: Any, folder: Path, encoder: Any, allow_import: bool
) -> str | TextNetwork | nn.Module:
    """The encoder: its name, the text network, or a module from the caller or from imported code."""
    if isinstance(saved, dict):
        network = from_json(saved, allow_import=False)
        if not isinstance(network, TextNetwork):
            raise TypeError(f"unknown network {saved}")
        return network
    if saved in ENCODERS:
        return str(saved)
    if isinstance(encoder, nn.Module):
        return encoder
    if not allow_import:
        raise ValueError(
            f"{folder} has an encoder made by {saved}; pass one as `encoder`, or set allow_import "
            "(--allow-import) if you trust the folder"
        )
    return choose_encoder(saved)  # type: ignore[no-any-return]
