"""From the words of a user to settings of a run: presets, names, objects, import paths."""

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from importlib import import_module
from typing import Any

from torch import nn

from credprop.augment import AUGMENTS, Augment
from credprop.data import PartlyLabeled
from credprop.networks import ENCODERS
from credprop.training import Settings, choose_settings, with_budget

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
    if not budget > 0:
        raise ValueError(f"budget is {budget}; give a multiple of the preset's epochs above 0")
    chosen = dict(changes)
    if not _is_auto(encoder):
        chosen["encoder"] = choose_encoder(encoder)
    if not _is_auto(augment):
        chosen["augment"] = choose_augment(augment)
    return with_budget(replace(settings, **chosen), budget)


def choose_encoder(encoder: Any) -> str | nn.Module:
    """An encoder by name, by import path of a function that makes one, or as it is."""
    if isinstance(encoder, nn.Module) or (isinstance(encoder, str) and encoder in ENCODERS):
        return encoder
    if isinstance(encoder, str) and ":" in encoder:
        made = imported(encoder)()
        if isinstance(made, nn.Module):
            return made
        raise ValueError(f"encoder {encoder!r} makes a {type(made).__name__}; it must make an nn.Module")
    names = ", ".join([AUTO, *ENCODERS])
    raise ValueError(f"no encoder is named {encoder!r}; there are {names}, module:function, or any nn.Module")


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
