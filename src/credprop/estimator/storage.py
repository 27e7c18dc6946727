"""A classifier as a folder: weights in safetensors, everything else in JSON and csv, no pickle."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from credprop import __version__
from credprop.data import read_rows
from credprop.estimator.card import model_card
from credprop.estimator.choices import choose_encoder, import_path
from credprop.estimator.described import NotImported, in_json, restored
from credprop.estimator.refined import Refined
from credprop.files import write_whole
from credprop.networks import ENCODERS, Model, build_model
from credprop.training import Settings

if TYPE_CHECKING:
    from credprop.estimator.classifier import CCPClassifier

FORMAT = 1
_SAMPLES = ("given", "q", "opinion", "outlier_score", "labeled_iter")
_FAULTS = (KeyError, TypeError, AttributeError, RuntimeError, MemoryError)  # of what a config.json says
_TYPES: dict[str, Any] = {
    "parameters": dict,
    "seed": int,
    "steps": int,
    "iterations": int,
    "termination_condition": str,
    "classes": list,
    "classes_type": str,
    "n_features_in": int | None,
    "feature_names_in": list,
    "network": dict,
    "settings": dict,
    "sha256": str,
}


def save(classifier: "CCPClassifier", folder: Path, ids: Sequence[str] | None = None, **more: Any) -> Path:
    """Write the folder; `more` goes into its `config.json`, which is written last and makes it complete."""
    refined = classifier.refined_
    weights = save_tensors(_tensors(classifier))
    config = _config(classifier) | {"sha256": hashlib.sha256(weights).hexdigest()} | more
    contents: dict[str, bytes | str] = {
        "model.safetensors": weights,
        "labels.csv": refined.to_csv(ids),
        "history.jsonl": "".join(json.dumps(row) + "\n" for row in classifier.history_),
        "README.md": model_card(classifier),
        "config.json": json.dumps(config, indent=2, ensure_ascii=False) + "\n",
    }
    folder.mkdir(parents=True, exist_ok=True)
    # What was there before is complete no more, until its new config.json is.
    (folder / "config.json").unlink(missing_ok=True)
    for name, content in contents.items():
        write_whole(folder / name, content)
    return folder


def load(cls: Any, folder: Path, encoder: nn.Module | None, allow_import: bool) -> Any:
    """The classifier in the folder; every fault of the folder is a ValueError that names it."""
    config = read_config(folder)
    network = config["network"]
    tensors = _read_tensors(folder / "model.safetensors", config["sha256"])
    with _damaged(folder, *_FAULTS):
        built = _encoder(network["encoder"], folder, encoder, allow_import)
        classifier = cls(**_parameters(config["parameters"], built, allow_import))
        classifier.model_ = _model(built, network, tensors)
        settings = {name: part for name, part in config["settings"].items() if name != "encoder"}
        settings |= {name: tuple(network[name]) for name in ("projector", "classifier")}
        classifier.settings_ = Settings(**restored(settings, allow_import), encoder=built)
    with _damaged(folder, *_FAULTS, ValueError):
        classifier.take(_refined(config, tensors))
        classifier.sample_shape_ = tuple(network["sample_shape"])
        classifier.seed_, classifier.n_steps_ = config["seed"], config["steps"]
        classifier.n_iter_ = config["iterations"]
        classifier.termination_condition_ = config["termination_condition"]
        classifier.n_features_in_ = config["n_features_in"]
        if config["feature_names_in"]:
            classifier.feature_names_in_ = np.array(config["feature_names_in"], dtype=object)
    classifier.history_ = _read_history(folder / "history.jsonl")
    return classifier


def read_config(folder: Path) -> dict[str, Any]:
    """What `config.json` of the folder says, if it is of a version that can be read."""
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        what = "holds no config.json" if folder.is_dir() else "is no folder"
        raise ValueError(f"{folder} {what}; give the folder of a finished run") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read ({error}); fit it anew") from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        found = config.get("format") if isinstance(config, dict) else None
        raise ValueError(
            f"{path} has format {found!r}; credprop {__version__} reads format {FORMAT}: "
            "use the version that wrote it, or fit it anew"
        )
    for name, kind in _TYPES.items():
        if name not in config or not isinstance(config[name], kind):
            raise ValueError(f"{path} is damaged ({name!r} is missing or of a wrong type); fit it anew")
    return config


@contextmanager
def _damaged(folder: Path, *errors: type[Exception]) -> Iterator[None]:
    try:
        yield
    except errors as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"{folder} is damaged ({reason}); fit it anew") from error


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
        "network": {
            "encoder": settings.encoder if isinstance(settings.encoder, str) else _path_of(classifier),
            "sample_shape": list(classifier.sample_shape_),
            "projector": list(settings.projector),
            "classifier": list(settings.classifier),
            "classes": len(refined.classes),
        },
        "settings": in_json(vars(settings)),
    }


def _path_of(classifier: "CCPClassifier") -> str:
    """The import path of what made the encoder."""
    encoder = classifier.encoder
    return (
        encoder if isinstance(encoder, str) and ":" in encoder else import_path(classifier.settings_.encoder)
    )


def _parameters_in_json(classifier: "CCPClassifier") -> dict[str, Any]:
    """Parameters of the constructor, but for those that belong to one run."""
    parameters = classifier.get_params(deep=False)
    own = {"callback", "checkpoint", "watch"}
    if not isinstance(parameters["random_state"], int | np.integer):
        own.add("random_state")
    kept: dict[str, Any] = in_json({name: value for name, value in parameters.items() if name not in own})
    return kept


def _parameters(saved: dict[str, Any], encoder: str | nn.Module, allow_import: bool) -> dict[str, Any]:
    """Parameters of the constructor; where they name code that may not be imported, fitting anew says so."""
    parameters = {name: restored(saved[name], allow_import) for name in saved if name != "encoder"}
    augment, name = parameters["augment"], saved["encoder"]
    if isinstance(augment, str) and ":" in augment and not allow_import:
        parameters["augment"] = NotImported(augment)
    by_name = isinstance(name, str) and (allow_import or ":" not in name)
    return parameters | {"encoder": name if by_name else encoder}


def _model(encoder: str | nn.Module, network: dict[str, Any], tensors: dict[str, Tensor]) -> Model:
    """The networks, built anew and filled with the weights."""
    weights = {name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")}
    sample = read_rows(torch.zeros(2, *network["sample_shape"]), torch.arange(2))
    scale = weights["mean"], weights["scale"]
    heads = network["projector"], network["classifier"]
    try:
        model = build_model(encoder, sample, network["classes"], scale, *heads)
        model.load_state_dict(weights)
    except RuntimeError as error:
        if isinstance(encoder, str):
            raise
        raise ValueError(
            f"the weights do not fit the encoder {import_path(encoder)}; give one of the same build as "
            "`encoder`"
        ) from error
    # As they were trained: another order in memory rounds otherwise.
    return model.eval().to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def _encoder(path: str, folder: Path, encoder: nn.Module | None, allow_import: bool) -> str | nn.Module:
    """The encoder's name, or a module from the caller or from code that the caller allows."""
    if path in ENCODERS:
        return path
    if encoder is not None:
        return encoder
    if not allow_import:
        raise ValueError(
            f"{folder} has an encoder made by {path}; give one as `encoder`, or set allow_import "
            "(--allow-import) if you trust the folder"
        )
    return choose_encoder(path)


def _refined(config: dict[str, Any], tensors: dict[str, Tensor]) -> Refined:
    samples = {name: tensors[f"samples.{name}"].numpy() for name in _SAMPLES}
    classes = np.array(config["classes"], dtype=config["classes_type"])
    if classes.shape != (samples["q"].shape[1],):
        raise ValueError(f"{len(classes)} classes are named, {samples['q'].shape[1]} were learned")
    return Refined(classes=classes, unlabeled_label=config["parameters"]["unlabeled_label"], **samples)


def _read_tensors(path: Path, digest: str) -> dict[str, Tensor]:
    try:
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != digest:
            raise ValueError(f"{path} is damaged or of another run than config.json; fit it anew")
        return load_tensors(content)
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{path} cannot be read ({error}); fit it anew") from error


def _read_history(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} cannot be read ({error}); fit it anew") from error
