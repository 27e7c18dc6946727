"""What a run must achieve on digits, mean of five seeds: the figures of `benchmarks/quality.py` as a test."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import torch

from quality import CELLS, measure

pytestmark = pytest.mark.slow
SEEDS = range(5)


@cache
def mean(cell: str, precision: str = "float32", *, softmax: bool = False) -> dict[str, Any]:
    torch.set_num_threads(2)
    rows = [measure(CELLS[cell](seed), seed, precision, softmax=softmax) for seed in SEEDS]
    return {name: np.nanmean([row[name] for row in rows], axis=0) for name in rows[0]}


@pytest.mark.parametrize("cell", ["digits-few", "digits-noisy"])
def test_refined_labels_are_right_and_the_classifier_beats_the_supervised_one(cell: str) -> None:
    figures = mean(cell)
    assert figures["pseudo"] >= 0.90
    assert figures["ccp"] - figures["supervised"] >= 0.05
    assert figures["its training"] > 0.9  # the baseline has learned what it was given


def test_credibility_tells_right_from_wrong_and_softmax_loses_accuracy() -> None:
    credibility, softmax = mean("digits-noisy"), mean("digits-noisy", softmax=True)
    assert credibility["right/wrong"] >= 1.4
    assert credibility["pseudo"] > softmax["pseudo"]
    assert (credibility["pseudo by iteration"] > softmax["pseudo by iteration"])[1:].all()


def test_half_precision_is_within_a_point() -> None:
    full, half = mean("digits-few"), mean("digits-few", "bfloat16")
    assert abs(full["ccp"] - half["ccp"]) <= 0.01
