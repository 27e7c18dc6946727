"""A classifier as a folder: weights in safetensors, everything else in JSON and csv, no pickle."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from credprop import __version__
from credprop.ccp import Settings
from credprop.data import read_rows
from credprop.estimator.model_card import model_card
from credprop.estimator.parameters import choose_encoder, is_name
from credprop.estimator.paths import NotImported, import_path
from credprop.estimator.refined import Refined
from credprop.estimator.saved_folder import (
    FORMAT,
    damaged,
    read_config,
    read_files,
    read_history,
    read_tensors,
)
from credprop.estimator.serialization import in_json, restored
from credprop.files import write_whole
from credprop.frozen import Frozen, choose_frozen
from credprop.networks import ENCODERS, Model, TextEncoder, TextNetwork, build_model
from credprop.prepare import TOKENIZER, Preparation, TextTokens, preparation_from

if TYPE_CHECKING:
    from credprop.estimator.classifier import CCPClassifier

_SAMPLES = ("given", "q", "opinion", "outlier_score", "labeled_iter")
_FAULTS = (LookupError, TypeError, AttributeError, RuntimeError, MemoryError)  # of what a config.json says


def save(classifier: "CCPClassifier", folder: Path, ids: Sequence[str] | None = None, **more: Any) -> Path:
    """Write the folder; `more` goes into its `config.json`, which is written last and makes it complete."""
    refined = classifier.refined_
    weights, files = save_tensors(_tensors(classifier)), dict(classifier.preparation_.files())
    digests = {name: hashlib.sha256(content.encode()).hexdigest() for name, content in files.items()}
    own = {"files": digests, "sha256": hashlib.sha256(weights).hexdigest()}
    config = _config(classifier) | own | more
    contents: dict[str, bytes | str] = {
        "model.safetensors": weights,
        **files,
        "labels.csv": refined.to_csv(ids),
        "history.jsonl": "".join(json.dumps(row) + "\n" for row in classifier.history_),
        "README.md": model_card(classifier),
        "config.json": json.dumps(config, indent=2, ensure_ascii=False) + "\n",
    }
    folder.mkdir(parents=True, exist_ok=True)
    # What was there before is complete no more, until its new config.json is.
    for name in ("config.json", TOKENIZER):
        (folder / name).unlink(missing_ok=True)
    for name, content in contents.items():
        write_whole(folder / name, content)
    return folder


def load(cls: Any, folder: Path, encoder: Any, allow_import: bool) -> Any:
    """The classifier in the folder; every fault of the folder is a ValueError that names it."""
    config = read_config(folder)
    network, preparation = config["network"], config["preparation"]
    tensors = read_tensors(folder / "model.safetensors", config["sha256"])
    files = read_files(folder, config["files"])
    with damaged(folder, *_FAULTS):
        built = _encoder(network["encoder"], folder, encoder, allow_import)
        frozen, own = None, cast("Any", built)
        if preparation.get("kind") == "frozen":
            frozen = _own_frozen(config, encoder, allow_import)
            own = frozen or NotImported(preparation["encoder"])
        classifier = cls(**_parameters(config["parameters"], own, allow_import))
        classifier.model_ = _model(built, network, tensors, tokens=preparation.get("kind") == "tokens")
        settings = {name: part for name, part in config["settings"].items() if name != "encoder"}
        settings |= {name: tuple(network[name]) for name in ("projector", "classifier")}
        classifier.settings_ = Settings(**restored(settings, allow_import), encoder=built)
    with damaged(folder, *_FAULTS, ValueError):
        found = preparation_from(preparation, files, device=classifier.device, given=frozen)
        classifier.preparation_ = found
        _check_vocabulary(built, found)
        _take(classifier, config, tensors)
    classifier.history_ = read_history(folder / "history.jsonl")
    return classifier


def _take(classifier: "CCPClassifier", config: dict[str, Any], tensors: dict[str, Tensor]) -> None:
    """Fill a classifier with what the config and the tensors say was learned."""
    classifier.take(_refined(config, tensors))
    classifier.sample_shape_ = _sample_shape(config, classifier.preparation_)
    classifier.seed_, classifier.n_steps_ = config["seed"], config["steps"]
    classifier.n_iter_ = config["iterations"]
    classifier.termination_condition_ = config["termination_condition"]
    if config["n_features_in"] is not None:
        classifier.n_features_in_ = config["n_features_in"]
    if config["feature_names_in"]:
        classifier.feature_names_in_ = np.array(config["feature_names_in"], dtype=object)


def _check_vocabulary(encoder: Any, preparation: Preparation) -> None:
    """An error where texts would be split into tokens that the network does not know."""
    if isinstance(encoder, TextNetwork) and getattr(preparation, "vocabulary", 0) != encoder.vocabulary:
        raise ValueError(f"the network knows {encoder.vocabulary} tokens, which are not those of the texts")


def _sample_shape(config: dict[str, Any], preparation: Preparation) -> tuple[int, ...]:
    """The shape of a row as the user has it, which must agree with what is made of it."""
    shape = config["sample_shape"]
    if preparation.kind == "arrays":
        fits = shape == config["network"]["sample_shape"]
    else:
        text = preparation.kind == "tokens" or config["preparation"]["takes"] == "text"
        fits = not shape if text else len(shape) == 3 and all(isinstance(size, int) for size in shape)
    if not fits:
        raise ValueError(f"sample_shape {shape} is of other rows than the network's")
    return tuple(shape)


def _tensors(classifier: "CCPClassifier") -> dict[str, Tensor]:
    """Weights, and what is known of every sample."""
    tensors = {f"model.{name}": value for name, value in classifier.model_.state_dict().items()}
    for name in _SAMPLES:
        values = np.ascontiguousarray(getattr(classifier.refined_, name))
        tensors[f"samples.{name}"] = torch.from_numpy(values)
    # Clones, because an encoder may hold one tensor under two names.
    return {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}


def _config(classifier: "CCPClassifier") -> dict[str, Any]:
    settings, refined = classifier.settings_, classifier.refined_
    return {
        "format": FORMAT,
        "credprop": __version__,
        "parameters": _parameters_in_json(classifier),
        "seed": classifier.seed_,
        "steps": classifier.n_steps_,
        "iterations": classifier.n_iter_,
        "termination_condition": classifier.termination_condition_,
        "classes": refined.classes.tolist(),
        "classes_type": refined.classes.dtype.str if refined.classes.dtype.kind != "O" else "O",
        "n_features_in": getattr(classifier, "n_features_in_", None),
        "feature_names_in": list(getattr(classifier, "feature_names_in_", [])),
        "sample_shape": list(classifier.sample_shape_),
        "preparation": classifier.preparation_.to_json(),
        "network": {
            "encoder": _described(classifier),
            "sample_shape": _network_shape(classifier),
            "projector": list(settings.projector),
            "classifier": list(settings.classifier),
            "classes": len(refined.classes),
        },
        "settings": in_json(vars(settings)),
    }


def _network_shape(classifier: "CCPClassifier") -> list[int]:
    """The shape of a row as the network has it."""
    preparation = classifier.preparation_
    if isinstance(preparation, TextTokens):
        return [preparation.length]
    return list(classifier.sample_shape_ if preparation.kind == "arrays" else classifier.model_.mean.shape)


def _described(classifier: "CCPClassifier") -> Any:
    """The encoder by its name, by what the text network is made of, or by the path of what made it."""
    given, built = classifier.encoder, classifier.settings_.encoder
    if isinstance(built, str):
        return built
    if isinstance(built, TextNetwork | TextEncoder):
        return in_json(built.network if isinstance(built, TextEncoder) else built)
    return given if isinstance(given, str) and not is_name(given) else import_path(built)


def _parameters_in_json(classifier: "CCPClassifier") -> dict[str, Any]:
    """Parameters of the constructor, but for those that belong to one run."""
    parameters = classifier.get_params(deep=False)
    own = {"callback", "checkpoint", "watch"}
    if not isinstance(parameters["random_state"], int | np.integer):
        own.add("random_state")
    kept: dict[str, Any] = in_json({name: value for name, value in parameters.items() if name not in own})
    return kept


def _parameters(saved: dict[str, Any], encoder: Any, allow_import: bool) -> dict[str, Any]:
    """Parameters of the constructor; where they name code that may not be imported, fitting anew says so."""
    parameters = {name: restored(saved[name], allow_import) for name in saved if name != "encoder"}
    augment, name = parameters["augment"], saved["encoder"]
    if isinstance(augment, str) and ":" in augment and not allow_import:
        parameters["augment"] = NotImported(augment)
    by_name = is_name(name) or (isinstance(name, str) and allow_import)
    return parameters | {"encoder": name if by_name else encoder}


def _own_frozen(config: dict[str, Any], encoder: Any, allow_import: bool) -> Frozen | None:
    """The frozen encoder where it is the caller's: as given, or made by code that the caller allows."""
    path = config["parameters"]["encoder"]
    if isinstance(encoder, nn.Module):
        return choose_frozen(encoder)
    if encoder is None and allow_import and isinstance(path, str) and not is_name(path):
        return choose_encoder(path)  # type: ignore[no-any-return]
    return encoder  # type: ignore[no-any-return]


def _model(
    encoder: str | TextNetwork | nn.Module,
    network: dict[str, Any],
    tensors: dict[str, Tensor],
    *,
    tokens: bool,
) -> Model:
    """The networks, built anew and filled with the weights."""
    weights = {name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")}
    zeros = torch.zeros(2, *network["sample_shape"])
    sample = zeros.long() if tokens else read_rows(zeros, torch.arange(2))
    scale = weights["mean"], weights["scale"]
    heads = network["projector"], network["classifier"]
    try:
        model = build_model(encoder, sample, network["classes"], scale, *heads)
        model.load_state_dict(weights)
    except RuntimeError as error:
        if not isinstance(encoder, nn.Module):
            raise
        raise ValueError(
            f"the weights do not fit the encoder {import_path(encoder)}; give one of the same build as "
            "`encoder`"
        ) from error
    # As they were trained: another order in memory rounds otherwise.
    return model.eval().to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def _encoder(saved: Any, folder: Path, encoder: Any, allow_import: bool) -> str | TextNetwork | nn.Module:
    """The encoder's name or description, or a module from the caller or from code that the caller allows."""
    if isinstance(saved, dict):
        network = restored(saved, allow_import=False)
        if not isinstance(network, TextNetwork):
            raise TypeError(f"no network is described by {saved}")
        return network
    if saved in ENCODERS:
        return str(saved)
    if isinstance(encoder, nn.Module):
        return encoder
    if not allow_import:
        raise ValueError(
            f"{folder} has an encoder made by {saved}; give one as `encoder`, or set allow_import "
            "(--allow-import) if you trust the folder"
        )
    return choose_encoder(saved)  # type: ignore[no-any-return]


def _refined(config: dict[str, Any], tensors: dict[str, Tensor]) -> Refined:
    samples = {name: tensors[f"samples.{name}"].numpy() for name in _SAMPLES}
    classes = np.array(config["classes"], dtype=config["classes_type"])
    if classes.shape != (samples["q"].shape[1],):
        raise ValueError(f"{len(classes)} classes are named, {samples['q'].shape[1]} were learned")
    return Refined(classes=classes, unlabeled_label=config["parameters"]["unlabeled_label"], **samples)
