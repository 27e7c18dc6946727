"""Saving and loading a classifier: weights in safetensors, everything else in JSON and csv, no pickle."""

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
from credprop.estimator.learning import expose
from credprop.estimator.model_card import model_card
from credprop.estimator.parameters import choose_encoder, is_encoder_name
from credprop.estimator.refined import Refined
from credprop.estimator.saved_folder import (
    FORMAT,
    errors_of,
    read_config,
    read_files,
    read_history,
    read_tensors,
)
from credprop.estimator.saved_networks import networks_to_json, saved_blend, saved_encoder
from credprop.estimator.serialization import NotImported, from_json, to_json
from credprop.files import write_whole
from credprop.frozen import Frozen, choose_frozen
from credprop.networks import TextNetwork
from credprop.prepare import TOKENIZER, Preparation, preparation_from
from credprop.trial import Certificate

if TYPE_CHECKING:
    from credprop.estimator.classifier import CCPClassifier

_SAMPLES = ("given", "q", "opinion", "outlier_score", "labeled_iter")
_MAYBE = ("probability", "doubtful", "blank", "gold")  # of samples: with a trial, with texts
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
    # From here on the folder counts as incomplete, until the new config.json is written.
    for name in ("config.json", TOKENIZER):
        (folder / name).unlink(missing_ok=True)
    for name, content in contents.items():
        write_whole(folder / name, content)
    return folder


def load(cls: Any, folder: Path, encoder: Any, allow_import: bool) -> Any:
    """The classifier saved in the folder; every fault of the folder is a ValueError that names it."""
    config = read_config(folder)
    network, preparation = config["network"], config["preparation"]
    tensors = read_tensors(folder / "model.safetensors", config["sha256"])
    files = read_files(folder, config["files"])
    with errors_of(folder, *_FAULTS):
        built = saved_encoder(network["encoder"], folder, encoder, allow_import)
        frozen, own = None, cast("Any", built)
        if preparation.get("kind") == "frozen":
            frozen = _own_frozen(config, encoder, allow_import)
            own = frozen or NotImported(preparation["encoder"])
        classifier = cls(**_parameters(config["parameters"], own, allow_import))
        classifier.model_ = saved_blend(built, network, tensors, tokens=preparation.get("kind") == "tokens")
        settings = {name: part for name, part in config["settings"].items() if name != "encoder"}
        settings |= {name: tuple(settings[name]) for name in ("projector", "classifier")}
        classifier.settings_ = Settings(**from_json(settings, allow_import), encoder=built)
    with errors_of(folder, *_FAULTS, ValueError):
        found = preparation_from(preparation, files, device=classifier.device, given=frozen)
        classifier.preparation_ = found
        _check_vocabulary(built, found)
        _restore(classifier, config, tensors)
    classifier.history_ = read_history(folder / "history.jsonl")
    return classifier


def _restore(classifier: "CCPClassifier", config: dict[str, Any], tensors: dict[str, Tensor]) -> None:
    """Set the learned attributes of a classifier from config and tensors."""
    expose(classifier, _refined(config, tensors, classifier.confidence))
    classifier.labeled_embedding_ = tensors["labeled_embedding"].numpy()
    certificate = config["certificate"]
    classifier.certificate_ = None if certificate is None else Certificate(**certificate)
    classifier.label_noise_ = config["label_noise"]
    trusted = config["trusted_right"]
    if trusted is not None and (len(trusted) != 3 or not all(isinstance(v, float) for v in trusted)):
        raise ValueError(f"trusted_right is {trusted!r}")
    classifier.trusted_right_ = None if trusted is None else (trusted[0], trusted[1], trusted[2])
    classifier.sample_shape_ = _sample_shape(config, classifier.preparation_)
    classifier.seed_, classifier.n_steps_ = config["seed"], config["steps"]
    classifier.n_iter_ = config["iterations"]
    if config["n_features_in"] is not None:
        classifier.n_features_in_ = config["n_features_in"]
    if config["feature_names_in"]:
        classifier.feature_names_in_ = np.array(config["feature_names_in"], dtype=object)


def _check_vocabulary(encoder: Any, preparation: Preparation) -> None:
    """An error where tokenizer and network have different vocabularies."""
    if isinstance(encoder, TextNetwork) and getattr(preparation, "vocabulary", 0) != encoder.vocabulary:
        raise ValueError(f"network and tokenizer differ: the network has {encoder.vocabulary} tokens")


def _sample_shape(config: dict[str, Any], preparation: Preparation) -> tuple[int, ...]:
    """The shape of a row as the user has it, if it agrees with the network and the preparation."""
    shape = config["sample_shape"]
    if preparation.kind == "arrays":
        fits = shape == config["network"]["sample_shape"]
    else:
        text = preparation.kind == "tokens" or config["preparation"]["takes"] == "text"
        fits = not shape if text else len(shape) == 3 and all(isinstance(size, int) for size in shape)
    if not fits:
        raise ValueError(f"sample_shape {shape} does not match the network")
    return tuple(shape)


def _tensors(classifier: "CCPClassifier") -> dict[str, Tensor]:
    """Weights, and what is known of every sample."""
    tensors = {f"model.{name}": value for name, value in classifier.model_.state_dict().items()}
    for name in (*_SAMPLES, *_MAYBE):
        if (values := getattr(classifier.refined_, name)) is not None:
            tensors[f"samples.{name}"] = torch.from_numpy(np.ascontiguousarray(values))
    tensors["labeled_embedding"] = torch.from_numpy(classifier.labeled_embedding_)
    # Clones, because an encoder may hold one tensor under two names.
    return {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}


def _config(classifier: "CCPClassifier") -> dict[str, Any]:
    settings, refined = classifier.settings_, classifier.refined_
    return {
        "format": FORMAT,
        "credprop": __version__,
        "parameters": _parameters_to_json(classifier),
        "seed": classifier.seed_,
        "steps": classifier.n_steps_,
        "iterations": classifier.n_iter_,
        "certificate": None if classifier.certificate_ is None else vars(classifier.certificate_),
        "label_noise": classifier.label_noise_,
        "trusted_right": classifier.trusted_right_,
        "trust_labels": refined.trust_labels,
        "classes": refined.classes.tolist(),
        "classes_type": refined.classes.dtype.str if refined.classes.dtype.kind != "O" else "O",
        "n_features_in": getattr(classifier, "n_features_in_", None),
        "feature_names_in": list(getattr(classifier, "feature_names_in_", [])),
        "sample_shape": list(classifier.sample_shape_),
        "preparation": classifier.preparation_.to_json(),
        "network": networks_to_json(classifier),
        "settings": to_json(vars(settings)),
    }


def _parameters_to_json(classifier: "CCPClassifier") -> dict[str, Any]:
    """Parameters of the constructor, without those of a single run."""
    parameters = classifier.get_params(deep=False)
    own = {"callback", "checkpoint", "watch"}
    if not isinstance(parameters["random_state"], int | np.integer):
        own.add("random_state")
    kept: dict[str, Any] = to_json({name: value for name, value in parameters.items() if name not in own})
    return kept


def _parameters(saved: dict[str, Any], encoder: Any, allow_import: bool) -> dict[str, Any]:
    """Parameters of the constructor; code that may not be imported raises an error when refitting."""
    parameters = {name: from_json(saved[name], allow_import) for name in saved if name != "encoder"}
    augment, name = parameters["augment"], saved["encoder"]
    if isinstance(augment, str) and ":" in augment and not allow_import:
        parameters["augment"] = NotImported(augment)
    by_name = is_encoder_name(name) or (isinstance(name, str) and allow_import)
    return parameters | {"encoder": name if by_name else encoder}


def _own_frozen(config: dict[str, Any], encoder: Any, allow_import: bool) -> Frozen | None:
    """The caller's own frozen encoder: as given, or made by code that the caller allows to import."""
    path = config["parameters"]["encoder"]
    if isinstance(encoder, nn.Module):
        return choose_frozen(encoder)
    if encoder is None and allow_import and isinstance(path, str) and not is_encoder_name(path):
        return choose_encoder(path)  # type: ignore[no-any-return]
    return encoder  # type: ignore[no-any-return]


def _refined(config: dict[str, Any], tensors: dict[str, Tensor], threshold: float) -> Refined:
    samples = {name: tensors[f"samples.{name}"].numpy() for name in _SAMPLES}
    classes = np.array(config["classes"], dtype=config["classes_type"])
    if classes.shape != (samples["q"].shape[1],):
        raise ValueError(f"config.json names {len(classes)} classes, the model has {samples['q'].shape[1]}")
    if config["trust_labels"] not in (True, False, "auto"):
        raise ValueError(f"trust_labels is {config['trust_labels']!r}")
    found = {name: tensors[f"samples.{name}"].numpy() for name in _MAYBE if f"samples.{name}" in tensors}
    return Refined(
        classes=classes,
        unlabeled_label=config["parameters"]["unlabeled_label"],
        trust_labels=config["trust_labels"],
        threshold=threshold,
        **samples,
        **found,
    )
