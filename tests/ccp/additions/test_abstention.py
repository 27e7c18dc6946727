"""Texts whose labels follow nothing: when a run abstains, and its result."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import oracles
from ccp.conftest import weights
from ccp.test_checkpoint import interrupted
from ccp.test_texts import short, texts
from ccp.test_train import same
from credprop.ccp import PAPER, Additions, Settings, planned_steps, train, train_supervised
from credprop.ccp.additions.abstention import can_tell, labels_spread, shuffled_labels_p_value
from credprop.ccp.setup import new_state
from credprop.ccp.stages import plan
from credprop.ccp.state import State
from credprop.data import PartlyLabeled, Tokens
from credprop.functional import adjust
from credprop.functional.additions import agreement, ridge_inverse
from credprop.training import Compute, Phase, predict_logits
from credprop.training.inference import project

CPU = Compute(torch.device("cpu"))
ASKED = Additions(before=(labels_spread,))


def settings_of(**changes: Any) -> Settings:
    """A pretraining long enough to see which words go together."""
    phase = Phase(epochs=12, batch_size=64, lr=0.02)
    return short(**({"additions": ASKED, "pretrain": phase} | changes))


def followed(labels_per_class: int = 12, n: int = 160) -> PartlyLabeled:
    return texts(n, labels_per_class=labels_per_class)


def shuffled(seed: int) -> PartlyLabeled:
    """The same texts, with random labels."""
    data = followed()
    rng = np.random.default_rng(seed)
    labels = data.labels.clone()
    labels[:24] = labels[:24][torch.from_numpy(rng.permutation(24))]
    return dataclasses.replace(data, labels=labels)


def begun(data: PartlyLabeled, **changes: Any) -> State:
    """A run as it stands before its first iteration, without the pretraining."""
    state = new_state(data, settings_of(**changes), 0, CPU)
    return dataclasses.replace(state, stage=1)


def asks(data: PartlyLabeled, **changes: Any) -> bool:
    return can_tell(begun(data, **changes))


@pytest.fixture(scope="module")
def nothing() -> PartlyLabeled:
    """Labels that the pretrained network and the words do not agree on more than on others."""
    return next(data for data in map(shuffled, range(9)) if train(data, settings_of(), compute=CPU).abstained)


def test_twenty_labels_and_two_a_class_can_tell() -> None:
    assert asks(followed(10))
    assert not asks(followed(9))
    data = followed(10)
    assert asks(dataclasses.replace(data, labels=data.labels.index_fill(0, torch.tensor([25, 27]), 2), k=3))
    assert not asks(dataclasses.replace(data, labels=data.labels.index_fill(0, torch.tensor([25]), 2), k=3))


@pytest.mark.parametrize(
    "changes",
    [{"trust_labels": False}, {"pretrain": None}],
    ids=["not trusted", "nothing pretrained"],
)
def test_a_run_does_not_test_its_labels(changes: dict[str, Any]) -> None:
    assert not asks(followed(), **changes)


def test_a_run_does_not_test_guesses_or_where_all_rows_have_labels() -> None:
    data = followed()
    assert not asks(dataclasses.replace(data, guesses=torch.zeros(160, 2)))
    assert not asks(followed(30, n=60))


def test_the_p_value_compares_words_with_the_network() -> None:
    data = texts(60, labels_per_class=10)
    state = begun(data)
    assert isinstance(data.x, Tokens)
    given, rows = list(range(20)), list(range(20, 60))
    has = [{int(t) for t in row if t} for row in data.x.ids]
    idf = [max(0.0, np.log(60 / (1 + sum(t in row for row in has)))) for t in range(41)]
    bags = [[idf[t] if t in row else 0.0 for t in range(41)] for row in has]
    z = project(state.model, data.x, torch.arange(60)).double().tolist()
    y = torch.eye(2).double()[data.labels[:20]]
    words = similarity(bags)
    first = words[rows][:, given] @ ridge_inverse(words[given][:, given], y)
    second = similarity(z)[rows][:, given] / 10  # means over ten labels a class
    generator = torch.Generator().manual_seed(0)

    def agreed(labels: torch.Tensor) -> float:
        return agreement(adjust(first @ labels).clamp(0, 1), adjust(second @ labels).clamp(0, 1))

    orders = [torch.randperm(20, generator=generator) for _ in range(99)]
    expected = (1 + sum(agreed(y[order]) >= agreed(y) for order in orders)) / 100
    assert shuffled_labels_p_value(state) == pytest.approx(expected, abs=0.03)  # ties by rounding


def similarity(rows: list[list[float]]) -> torch.Tensor:
    """Angular similarity by loops; a row of zeros is at right angles to all others."""
    unit = [row if any(row) else [*[0.0] * (len(row)), 1.0] for row in rows]
    longest = max(map(len, unit))
    padded = [[*row, *[0.0] * (longest - len(row))] for row in unit]
    return torch.tensor(oracles.angular_similarity(padded), dtype=torch.float64)


def test_labels_that_follow_the_words_are_spread() -> None:
    result = train(followed(), settings_of(), compute=CPU)
    assert not result.abstained
    assert [row["luck"] for row in result.history if "luck" in row] == [0.01]
    assert (result.q[24:].amax(dim=1) > 0).double().mean() > 0.9


def test_the_test_of_labels_changes_nothing_where_they_are_spread() -> None:
    asked, unasked = (train(followed(), settings_of(additions=a), compute=CPU) for a in (ASKED, PAPER))
    assert same(weights(asked.model), weights(unasked.model))
    assert asked.q.equal(unasked.q)


def test_labels_that_follow_nothing_are_learned_without_the_unlabeled_rows(nothing: PartlyLabeled) -> None:
    settings = settings_of()
    result = train(nothing, settings, seed=0, compute=CPU, first_too=True)
    assert result.abstained
    assert not result.q[24:].any()
    assert result.q[:24].equal(torch.eye(2)[nothing.labels[:24]])
    assert (result.labeled_iter == torch.where(nothing.labels >= 0, 0, -1)).all()
    steps = planned_steps(nothing, settings)
    assert result.steps == steps + plan(settings)[0].steps(160)
    assert result.views == 2 * 160 * 12 + 2 * 24 * steps
    assert result.first is not None
    assert same(weights(result.first.model), weights(result.model))
    alone = train_supervised(nothing, settings, steps, seed=0, compute=CPU)
    assert predict_logits(result.model, nothing.x).equal(predict_logits(alone, nothing.x))
    assert result.history[-1]["luck"] > 0.1
    assert all(row["stage"] == "pretrain" for row in result.history)


def test_without_a_classifier_only_the_given_labels_come_back(nothing: PartlyLabeled) -> None:
    result = train(nothing, settings_of(build=None), compute=CPU)
    assert result.abstained
    assert not result.q[24:].any()


def test_an_interrupted_run_abstains_too(nothing: PartlyLabeled, tmp_path: Path) -> None:
    whole = train(nothing, settings_of(), compute=CPU)
    resumed = interrupted(nothing, settings_of(), tmp_path / "c", times=14)  # twice in the last part
    assert resumed.abstained
    assert same(weights(whole.model), weights(resumed.model))
    assert resumed.history == whole.history


def test_random_labels_are_rarely_spread() -> None:
    results = [train(shuffled(seed), settings_of(build=None), compute=CPU) for seed in range(12)]
    assert sum(not result.abstained for result in results) <= 4  # 1.2 expected; more in one of 200 such tests
