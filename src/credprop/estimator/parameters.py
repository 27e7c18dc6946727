"""From the parameters of an estimator to the settings of a run: presets, names, objects, import paths."""

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
import torch
from torch import nn

from credprop.augment import AUGMENTS, Augment, Embedded, HideTokens, takes_vectors
from credprop.ccp import Settings, check_preset, choose_settings, with_budget
from credprop.data import PartlyLabeled
from credprop.data.error_text import first_line
from credprop.estimator.serialization import NotImported, import_object
from credprop.networks import ENCODERS, TextEncoder, TextNetwork, build_model, embedding_table
from credprop.prepare import AUTO, FAMILIES, TEXT, is_frozen
from credprop.training import Compute, choose_compute, isolated_random_state
from credprop.trial import TrialOptions, check_metric


def check_parameters(*, preset: str, augment: Any, budget: float, changes: Mapping[str, Any]) -> None:
    """An error where parameters are wrong for any data, before rows are encoded, which takes long."""
    check_preset(preset)
    if not is_auto(augment):
        choose_augment(augment)
    known = {field.name for field in fields(Settings)}
    if unknown := sorted(set(changes) - known):
        raise ValueError(f"unknown setting {unknown[0]!r}; use one of {', '.join(sorted(known))}")
    if not isinstance(trust := changes.get("trust_labels", True), bool | np.bool_):
        raise ValueError(f"trust_labels is {trust!r}; give 'auto', True, or False where labels may be wrong")
    if not 0 < budget < math.inf:
        raise ValueError(f"budget is {budget}; it must be a positive multiple of the preset's epochs")


def make_trial_options(estimator: Any) -> TrialOptions | None:
    """What the parameters of an estimator say about the trial; None if there is none."""
    check_metric(estimator.metric)
    folds, jobs = estimator.trial_folds, estimator.jobs
    if folds is not None and (not isinstance(folds, int | np.integer) or folds < 2):
        raise ValueError(f"trial_folds is {folds!r}; give a whole number of at least 2, or None")
    if not isinstance(jobs, int | np.integer) or jobs < 1:
        raise ValueError(f"jobs is {jobs!r}; give a number of processes of at least 1")
    if not isinstance(estimator.confidence, int | float | np.number) or not 0 < estimator.confidence <= 1:
        raise ValueError(f"confidence is {estimator.confidence!r}; give a probability above 0, up to 1")
    if not estimator.trial:
        return None
    trust = (estimator.settings or {}).get("trust_labels", estimator.trust_labels)
    return TrialOptions(
        trust_labels=trust if is_auto(trust) else bool(trust),
        folds=None if folds is None else int(folds),
        metric=estimator.metric,
        safe=estimator.safe,
        jobs=int(jobs),
    )


def make_settings(
    data: PartlyLabeled,
    *,
    preset: str,
    network: Any,
    augment: Any,
    budget: float,
    changes: Mapping[str, Any],
) -> Settings:
    """Settings of this preset for this data, with the user's changes and multiple of the epochs."""
    settings, chosen = choose_settings(data, preset), dict(changes)
    if not is_auto(network):
        chosen["encoder"] = network
    if not is_auto(augment):
        chosen["augment"] = choose_augment(augment)
    elif data.kind == "text" and isinstance(network, nn.Module):
        chosen["augment"] = HideTokens()  # all we know of a custom module is that it takes ids
    settings = replace(settings, **chosen)
    if not (is_auto(preset) and is_auto(network) and is_auto(augment)):
        _check_fits(settings, data, augment=not callable(augment))
    return with_budget(settings, budget)


def with_word_vectors(settings: Settings, vectors: np.ndarray, seed: int) -> Settings:
    """The same settings with a text network that starts from these vectors of its tokens."""
    if not isinstance(settings.encoder, TextNetwork):
        raise ValueError("word vectors are for the text network; leave them out, or choose encoder text")
    network = replace(settings.encoder, vocabulary=vectors.shape[0], width=vectors.shape[1])
    with isolated_random_state(seed):
        return replace(settings, encoder=TextEncoder(network, torch.from_numpy(vectors)))


def choose_encoder(encoder: Any) -> Any:
    """An encoder by name, by import path of a function that makes one, or as it is."""
    if isinstance(encoder, NotImported):
        encoder()
    if isinstance(encoder, nn.Module) or is_frozen(encoder) or is_encoder_name(encoder):
        return encoder
    if isinstance(encoder, str) and ":" in encoder:
        try:
            made = import_object(encoder)()
        except TypeError as error:
            raise ValueError(
                f"{encoder} needs arguments ({error}); pass the module itself, or a function without any"
            ) from error
        if isinstance(made, nn.Module) or is_frozen(made):
            return made
        raise ValueError(
            f"encoder {encoder!r} returns a {type(made).__name__}; it must return an nn.Module or a "
            "frozen encoder"
        )
    names = ", ".join([AUTO, *ENCODERS, TEXT, *FAMILIES, *(f"{family}:MODEL" for family in FAMILIES)])
    raise ValueError(f"unknown encoder {encoder!r}; use one of {names}, module:function, or any nn.Module")


def is_encoder_name(encoder: Any) -> bool:
    """Whether this is the name of one of our encoders, not an import path."""
    if not isinstance(encoder, str):
        return False
    return encoder in (AUTO, TEXT, *ENCODERS) or encoder.partition(":")[0] in FAMILIES


def choose_device(device: str | None, precision: Any = "float32") -> Compute:
    """Where to compute: the device of this name if it is there, or the best one."""
    try:
        compute = choose_compute(device, precision)
        torch.empty(1, device=compute.device)
    except (RuntimeError, AssertionError, TypeError, NotImplementedError) as error:
        raise ValueError(
            f"device {device!r} cannot be used ({first_line(error)}); give cpu, or leave it out"
        ) from error
    if compute.device.type == "meta":
        raise ValueError("device 'meta' does not compute; give cpu, or leave it out")
    return compute


def choose_augment(augment: Any) -> Augment:
    """An augmentation by name, by import path, or as it is."""
    if callable(augment):
        return augment  # type: ignore[no-any-return]
    if augment in AUGMENTS:
        return AUGMENTS[augment]()
    if isinstance(augment, str) and ":" in augment:
        return import_object(augment)
    names = ", ".join([AUTO, *AUGMENTS])
    raise ValueError(f"unknown augmentation {augment!r}; use one of {names}, module:function, or a callable")


def _check_fits(settings: Settings, data: PartlyLabeled, *, augment: bool) -> None:
    """An error where encoder or augmentation cannot take such samples."""
    encoder, sample = settings.encoder, data.sample()
    name = f"encoder {encoder if isinstance(encoder, str) else type(encoder).__name__}"
    try:
        with torch.random.fork_rng():
            model = build_model(encoder, sample, data.k)
        if augment:
            name = f"augmentation {type(settings.augment).__name__}"
            wanted = takes_vectors(settings.augment)
            rows = Embedded(sample, embedding_table(model.encoder)) if wanted else sample.clone()
            made = settings.augment(rows, torch.Generator())
            name = f"encoder {type(model.encoder).__name__} after {name}"
            model.encoder.eval()(made)
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        shape = tuple(sample.shape[1:])
        raise ValueError(
            f"{name} cannot take samples of shape {shape} ({first_line(error)}); choose another"
        ) from error


def is_auto(choice: Any) -> bool:
    """Whether a parameter leaves the choice to the program."""
    return isinstance(choice, str) and choice == AUTO
