"""A classifier as a folder: weights in safetensors, everything else in JSON and csv, no pickle."""

import dataclasses
import json
from collections.abc import Sequence
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
from credprop.estimator.choices import import_path, imported
from credprop.estimator.refined import Refined
from credprop.files import write_whole
from credprop.networks import ENCODERS, Model, build_model

if TYPE_CHECKING:
    from credprop.estimator.classifier import CCPClassifier

FORMAT = 1
_SAMPLES = ("given", "q", "opinion", "outlier_score", "labeled_iter")


def save(classifier: "CCPClassifier", folder: Path, ids: Sequence[str] | None = None, **more: Any) -> Path:
    """Write the folder; `more` goes into its `config.json`, which is written last and makes it complete."""
    refined, model = classifier.refined_, classifier.model_
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    tensors |= {
        f"samples.{name}": torch.from_numpy(np.ascontiguousarray(getattr(refined, name))) for name in _SAMPLES
    }
    held = {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}
    config = _config(classifier) | more
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "model.safetensors", save_tensors(held))
    write_whole(folder / "labels.csv", refined.to_frame(ids).to_csv(index=False))
    write_whole(folder / "history.jsonl", "".join(json.dumps(row) + "\n" for row in classifier.history_))
    write_whole(folder / "README.md", model_card(classifier))
    write_whole(folder / "config.json", json.dumps(config, indent=2, ensure_ascii=False) + "\n")
    return folder


def load(cls: Any, folder: Path, encoder: nn.Module | None, allow_import: bool) -> Any:
    """The classifier in the folder; every fault of the folder is a ValueError that names it."""
    config = read_config(folder)
    tensors = _read_tensors(folder / "model.safetensors")
    try:
        classifier = cls(**_parameters(config["parameters"], allow_import))
        classifier.model_ = _model(config["network"], tensors, folder, encoder, allow_import)
        classifier.take(_refined(config, tensors))
        classifier.sample_shape_ = tuple(config["network"]["sample_shape"])
        classifier.seed_, classifier.n_steps_ = config["seed"], config["steps"]
        classifier.n_iter_ = config["iterations"]
        classifier.termination_condition_ = config["termination_condition"]
        classifier.n_features_in_ = config["n_features_in"]
        if config["feature_names_in"]:
            classifier.feature_names_in_ = np.array(config["feature_names_in"], dtype=object)
    except (KeyError, TypeError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ValueError(f"{folder} is damaged ({reason}); fit it anew") from error
    classifier.history_ = _read_history(folder / "history.jsonl")
    return classifier


def read_config(folder: Path) -> dict[str, Any]:
    """What `config.json` of the folder says, if it is of a version that can be read."""
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "holds no config.json" if folder.is_dir() else "does not exist"
        raise ValueError(f"{folder} {what}; give the folder of a finished run") from None
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} cannot be read ({error}); fit it anew") from error
    if not isinstance(config, dict) or config.get("format") != FORMAT:
        found = config.get("format") if isinstance(config, dict) else None
        raise ValueError(
            f"{path} has format {found!r}; credprop {__version__} reads format {FORMAT}: "
            "use the version that wrote it, or fit it anew"
        )
    return config


def _config(classifier: "CCPClassifier") -> dict[str, Any]:
    settings, refined = classifier.settings_, classifier.refined_
    encoder = settings.encoder
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
            "encoder": encoder if isinstance(encoder, str) else _made_by(classifier.encoder),
            "sample_shape": list(classifier.sample_shape_),
            "projector": list(settings.projector),
            "classifier": list(settings.classifier),
            "classes": len(refined.classes),
        },
        "settings": in_json(vars(settings)),
    }


def in_json(value: Any) -> Any:
    """A value in JSON's terms: of code its name, of a dataclass its name and fields."""
    return json.loads(json.dumps(value, default=_described))


def _described(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, range | set):
        return list(value)
    fields = vars(value) if dataclasses.is_dataclass(value) else {}
    return {"made by": import_path(value)} | fields


def _parameters_in_json(classifier: "CCPClassifier") -> dict[str, Any]:
    """Parameters of the constructor, but for those that belong to one run."""
    parameters = classifier.get_params(deep=False)
    own = {"callback", "checkpoint", "watch"}
    if not isinstance(parameters["random_state"], int):
        own.add("random_state")
    kept: dict[str, Any] = in_json({name: value for name, value in parameters.items() if name not in own})
    return kept


def _made_by(encoder: Any) -> dict[str, str]:
    return {"made by": encoder if isinstance(encoder, str) else import_path(encoder)}


def _parameters(saved: dict[str, Any], allow_import: bool) -> dict[str, Any]:
    """Parameters of the constructor; code that may not be imported stays out, its place left to "auto"."""
    parameters = dict(saved)
    for name in ("encoder", "augment"):
        value = parameters.get(name)
        if not isinstance(value, dict):
            continue
        fields = {key: part for key, part in value.items() if key != "made by"}
        ours = value["made by"].startswith("credprop.augment.")
        parameters[name] = (
            imported(value["made by"])(**fields) if ours or (allow_import and fields) else "auto"
        )
    return parameters


def _model(
    network: dict[str, Any],
    tensors: dict[str, Tensor],
    folder: Path,
    encoder: nn.Module | None,
    allow_import: bool,
) -> Model:
    """The networks, built anew and filled with the weights."""
    built = _encoder(network["encoder"], folder, encoder, allow_import)
    weights = {name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")}
    sample = read_rows(torch.zeros(2, *network["sample_shape"]), torch.arange(2))
    scale = weights["mean"], weights["scale"]
    model = build_model(built, sample, network["classes"], scale, network["projector"], network["classifier"])
    model.load_state_dict(weights)
    return model.eval()


def _encoder(
    saved: str | dict[str, str], folder: Path, encoder: nn.Module | None, allow_import: bool
) -> str | nn.Module:
    """The encoder's name, or a module from the caller or from code that the caller allows."""
    if isinstance(saved, str) and saved in ENCODERS:
        return saved
    if encoder is not None:
        return encoder
    path = saved if isinstance(saved, str) else saved["made by"]
    if not allow_import:
        raise ValueError(
            f"{folder} has an encoder made by {path}; give one as `encoder`, or set allow_import if you "
            "trust the folder"
        )
    try:
        made = imported(path)()
    except TypeError as error:
        raise ValueError(
            f"{path} needs arguments ({error}); give an encoder made by it as `encoder`"
        ) from error
    return made  # type: ignore[no-any-return]


def _refined(config: dict[str, Any], tensors: dict[str, Tensor]) -> Refined:
    samples = {name: tensors[f"samples.{name}"].numpy() for name in _SAMPLES}
    classes = np.array(config["classes"], dtype=config["classes_type"])
    return Refined(classes=classes, unlabeled_label=config["parameters"]["unlabeled_label"], **samples)


def _read_tensors(path: Path) -> dict[str, Tensor]:
    try:
        return load_tensors(path.read_bytes())
    except (OSError, SafetensorError) as error:
        raise ValueError(f"{path} cannot be read ({error}); fit it anew") from error


def _read_history(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} cannot be read ({error}); fit it anew") from error
