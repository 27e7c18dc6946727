"""Contrastive Credibility Propagation: Algorithm 1, its settings and presets, and what we added to it."""

from credprop.ccp.estimate import estimate_seconds
from credprop.ccp.presets import (
    ADDITIONS,
    PRESETS,
    check_preset,
    choose_settings,
)
from credprop.ccp.pretraining import Pretrained, identity_of, pretrain_once, train_on
from credprop.ccp.progress import Progress
from credprop.ccp.settings import PAPER, Additions, Settings, with_budget
from credprop.ccp.stages import planned_steps
from credprop.ccp.supervised_baseline import train_supervised
from credprop.ccp.train import Result, train

__all__ = [
    "ADDITIONS",
    "PAPER",
    "PRESETS",
    "Additions",
    "Pretrained",
    "Progress",
    "Result",
    "Settings",
    "check_preset",
    "choose_settings",
    "estimate_seconds",
    "identity_of",
    "planned_steps",
    "pretrain_once",
    "train",
    "train_on",
    "train_supervised",
    "with_budget",
]
