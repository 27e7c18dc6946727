"""From the words of a user to settings of a run: presets, names, objects, import paths."""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from importlib import import_module
from typing import Any

import torch
from torch import nn

from credprop.augment import AUGMENTS, Augment
from credprop.data import PartlyLabeled
from credprop.networks import ENCODERS, build_model
from credprop.training import Compute, Settings, choose_compute, choose_settings, with_budget

AUTO = "auto"


def settings_of(
    data: PartlyLabeled,
    *,
    preset: str,
    encoder: Any,
    augment: Any,
    budget: float,
    changes: Mapping[str, Any],
) -> Settings:
    """Settings of this preset for this data, with the user's changes and multiple of the epochs."""
    settings = choose_settings(data, preset)
    known = {field.name for field in fields(settings)}
    if unknown := sorted(set(changes) - known):
        raise ValueError(f"no setting is named {unknown[0]!r}; there are {', '.join(sorted(known))}")
    if not 0 < budget < math.inf:
        raise ValueError(f"budget is {budget}; give a multiple of the preset's epochs above 0")
    chosen = dict(changes)
    if not _is_auto(encoder):
        chosen["encoder"] = choose_encoder(encoder)
    if not _is_auto(augment):
        chosen["augment"] = choose_augment(augment)
    settings = replace(settings, **chosen)
    if not (_is_auto(preset) and _is_auto(encoder) and _is_auto(augment)):
        _check_fits(settings, data, augment=not callable(augment))
    return with_budget(settings, budget)


def choose_encoder(encoder: Any) -> str | nn.Module:
    """An encoder by name, by import path of a function that makes one, or as it is."""
    if isinstance(encoder, nn.Module) or (isinstance(encoder, str) and encoder in ENCODERS):
        return encoder
    if isinstance(encoder, str) and ":" in encoder:
        try:
            made = imported(encoder)()
        except TypeError as error:
            raise ValueError(
                f"{encoder} needs arguments ({error}); give a module that it made, or a function without"
            ) from error
        if isinstance(made, nn.Module):
            return made
        raise ValueError(f"encoder {encoder!r} makes a {type(made).__name__}; it must make an nn.Module")
    names = ", ".join([AUTO, *ENCODERS])
    raise ValueError(f"no encoder is named {encoder!r}; there are {names}, module:function, or any nn.Module")


def choose_device(device: str | None, precision: Any = "float32") -> Compute:
    """Where to compute: the device of this name if it is there, or the best one."""
    try:
        compute = choose_compute(device, precision)
        torch.empty(1, device=compute.device)
    except (RuntimeError, AssertionError, TypeError, NotImplementedError) as error:
        said = str(error).splitlines()[0][:120]
        raise ValueError(f"device {device!r} cannot be used ({said}); give cpu, or leave it out") from error
    if compute.device.type == "meta":
        raise ValueError("device 'meta' computes nothing; give cpu, or leave it out")
    return compute


def choose_augment(augment: Any) -> Augment:
    """An augmentation by name, by import path, or as it is."""
    if callable(augment):
        return augment  # type: ignore[no-any-return]
    if augment in AUGMENTS:
        return AUGMENTS[augment]()
    if isinstance(augment, str) and ":" in augment:
        return imported(augment)
    names = ", ".join([AUTO, *AUGMENTS])
    raise ValueError(
        f"no augmentation is named {augment!r}; there are {names}, module:function, or a callable"
    )


def _check_fits(settings: Settings, data: PartlyLabeled, *, augment: bool) -> None:
    """An error where encoder or augmentation cannot take such samples."""
    encoder, sample = settings.encoder, data.sample()
    name = f"encoder {encoder if isinstance(encoder, str) else type(encoder).__name__}"
    try:
        with torch.random.fork_rng():
            build_model(encoder, sample, data.k)
        if augment:
            name = f"augmentation {type(settings.augment).__name__}"
            settings.augment(sample.clone(), torch.Generator())
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        said = str(error).splitlines()[0][:120]
        shape = tuple(sample.shape[1:])
        raise ValueError(f"{name} cannot take samples of shape {shape} ({said}); choose another") from error


def imported(path: str) -> Callable[..., Any]:
    """What an import path `module:name` names."""
    module, _, name = path.partition(":")
    try:
        found = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"cannot import {path!r}: {error}") from error
    return found  # type: ignore[return-value]


def import_path(thing: Any) -> str:
    """The import path of a function, or of a thing's class."""
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}:{named.__qualname__}"


def _is_auto(choice: Any) -> bool:
    return isinstance(choice, str) and choice == AUTO
