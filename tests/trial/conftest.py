"""A small problem whose trial takes a second."""

from typing import Any

import pytest
import torch

from ccp.conftest import blobs, tiny
from credprop.data import PartlyLabeled
from credprop.training import Compute
from credprop.trial import Outcome, TrialOptions, fit_with_trial

CPU = Compute(torch.device("cpu"))


def fitted(data: PartlyLabeled, seed: int = 0, **options: Any) -> Outcome:
    """A fit with a trial of two folds, unless others are asked for."""
    return fit_with_trial(data, tiny(), TrialOptions(**{"folds": 2} | options), seed=seed, compute=CPU)


@pytest.fixture(scope="session")
def problem() -> PartlyLabeled:
    """Ninety rows of three classes, four labels each."""
    return blobs(labels_per_class=4)


@pytest.fixture(scope="session")
def outcome(problem: PartlyLabeled) -> Outcome:
    """What a fit with a trial makes of it."""
    return fitted(problem)
