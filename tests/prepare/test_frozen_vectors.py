"""Rows as vectors of a frozen encoder."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch import nn

from credprop.prepare import (
    FrozenVectors,
    Preparation,
    choose_preparation,
    preparation_from,
)
from text_world import MONEY, SPORT, Counter, block, texts

TEXTS = texts()

IMAGES = np.zeros((4, 6, 6, 3), np.uint8)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDPROP_CACHE", str(tmp_path / "cache"))


def again(preparation: Preparation, **options: Any) -> Preparation:
    """The same out of JSON and files."""
    return preparation_from(json.loads(json.dumps(preparation.to_json())), preparation.files(), **options)


def test_a_frozen_encoder_encodes_each_row_once_and_is_known_by_its_weights() -> None:
    counter = Counter()
    preparation = choose_preparation(TEXTS, counter)
    assert isinstance(preparation, FrozenVectors)
    rows = preparation.rows(TEXTS)
    assert rows.shape == (len(TEXTS), len(SPORT + MONEY))
    assert np.array_equal(rows, [[text.split().count(word) for word in SPORT + MONEY] for text in TEXTS])
    asked = len(counter.asked)
    loaded = again(preparation, given=counter)
    assert isinstance(loaded, FrozenVectors)
    assert np.array_equal(loaded.rows(TEXTS[:5]), rows[:5])
    assert len(counter.asked) == asked
    with pytest.raises(ValueError, match="counter has other weights or settings than the counter"):
        again(preparation, given=Counter("2")).rows(TEXTS)


def test_a_frozen_encoder_is_looked_for_only_when_it_must_encode(monkeypatch: pytest.MonkeyPatch) -> None:
    saved = choose_preparation(TEXTS, "sentence")
    block(monkeypatch, "sentence_transformers")
    loaded = again(saved)
    assert loaded == saved
    with pytest.raises(ValueError, match=r"pip install 'credprop\[embed\]'"):
        loaded.rows(["a text"])


def test_a_custom_network_must_be_passed_again() -> None:
    from credprop.frozen import choose_frozen

    net = nn.Sequential(nn.Flatten(), nn.Linear(108, 5))
    preparation = choose_preparation(IMAGES, choose_frozen(net))
    assert preparation.rows(IMAGES).shape == (4, 5)
    with pytest.raises(ValueError, match=r"custom network .* pass it as `encoder`"):
        again(preparation).rows(IMAGES)
    given = again(preparation, given=choose_frozen(net))
    assert np.array_equal(given.rows(IMAGES), preparation.rows(IMAGES))  # type: ignore[arg-type]
