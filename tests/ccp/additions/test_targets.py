"""The targets of the classifier, against a plain loop; an interruption does not change them."""

import dataclasses
import math
from pathlib import Path

import pytest
import torch
from torch import nn

from ccp.conftest import tiny, weights
from ccp.test_checkpoint import interrupted
from ccp.test_train import same
from credprop.augment import identity
from credprop.ccp import Additions, train
from credprop.ccp.additions.targets import balance_classes, balance_labels, square_strength
from credprop.ccp.algorithm import classification_losses, targets_of
from credprop.ccp.setup import new_state, two_views
from credprop.data import PartlyLabeled
from credprop.training import Compute

CPU = Compute(torch.device("cpu"))
EVERYTHING = {"additions": Additions(targets=(square_strength, balance_labels, balance_classes))}


def test_the_classifier_learns_what_a_plain_loop_says(data: PartlyLabeled) -> None:
    labels = data.labels.clone()
    labels[:9] = torch.tensor([0, -1, -1, 0, -1, -1, 0, 1, 2])  # three labels, one and one
    index = torch.arange(90)
    settings = tiny(**EVERYTHING, augment=identity)
    state = new_state(dataclasses.replace(data, labels=labels), settings, 0, CPU)
    state.model.eval()
    strengths = torch.where(labels >= 0, 1.0, 0.5)
    state.tables.full = strengths[:, None] * nn.functional.one_hot(index % 3, 3)
    found = classification_losses(targets_of(state), state, index)["classification"].item()
    x = two_views(state, index)

    whole = 5 + 85 * 0.25  # five of strength 1, 85 of 0.5, squared; then half of all for the five
    others = [30 - extra for extra in (3, 1, 1)]
    share = [own / 5 / 2 + other / 85 / 2 for own, other in zip((3, 1, 1), others, strict=True)]
    shift = [math.log(p / ((p + own) / 2)) for p, own in zip(share, (3 / 5, 1 / 5, 1 / 5), strict=True)]
    with torch.no_grad():
        logits = (state.model(x) + torch.tensor(shift)).tolist()
    losses = []
    for i, row in enumerate(logits):
        truth = i % 90 % 3
        given = labels[i % 90] >= 0
        counts = whole / 2 / 5 if given else 0.25 * whole / 2 / (85 * 0.25)
        losses.append(counts * (math.log(sum(math.exp(v) for v in row)) - row[truth]))
    assert found == pytest.approx(sum(losses) / len(losses), rel=1e-5)


def test_labels_that_are_not_trusted_do_not_count_more_than_others(data: PartlyLabeled) -> None:
    settings = tiny(trust_labels=False)
    plain = train(data, settings, compute=CPU)
    changed = train(
        data, dataclasses.replace(settings, additions=Additions(targets=(balance_labels,))), compute=CPU
    )
    assert same(weights(plain.model), weights(changed.model))


def test_interrupting_the_building_changes_nothing(data: PartlyLabeled, tmp_path: Path) -> None:
    settings = tiny(**EVERYTHING)
    whole = train(data, settings, compute=CPU, first_too=True)
    alone = train(data, dataclasses.replace(settings, iterations=1), compute=CPU)
    resumed = interrupted(data, settings, tmp_path / "c", times=12)
    assert same(weights(whole.model), weights(resumed.model))
    assert whole.first is not None
    assert same(weights(whole.first.model), weights(alone.model))
