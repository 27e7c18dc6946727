"""Pretrain, refine (Algorithm 1), build the classifier; stopping, averaging, checkpoints."""

from credprop.training.device import Compute, choose_compute
from credprop.training.engine import Result, train
from credprop.training.estimate import estimate_seconds
from credprop.training.predict import accuracy, embed, predict_logits
from credprop.training.progress import Progress
from credprop.training.run import planned_steps
from credprop.training.settings import (
    PRESETS,
    TEXT_LENGTHS,
    Phase,
    Settings,
    check_preset,
    check_preset_suits,
    choose_settings,
    with_budget,
)
from credprop.training.start import isolated_random_state
from credprop.training.supervised import train_supervised

__all__ = [
    "PRESETS",
    "TEXT_LENGTHS",
    "Compute",
    "Phase",
    "Progress",
    "Result",
    "Settings",
    "accuracy",
    "check_preset",
    "check_preset_suits",
    "choose_compute",
    "choose_settings",
    "embed",
    "estimate_seconds",
    "isolated_random_state",
    "planned_steps",
    "predict_logits",
    "train",
    "train_supervised",
    "with_budget",
]
