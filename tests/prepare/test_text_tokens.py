"""Texts as tokens for the text network."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from credprop.data import Tokens, train_tokenizer
from credprop.prepare import (
    TEXT_LENGTHS,
    Preparation,
    TextTokens,
    choose_preparation,
    preparation_from,
)
from text_world import SPORT, texts

TEXTS = texts()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDPROP_CACHE", str(tmp_path / "cache"))


def again(preparation: Preparation, **options: Any) -> Preparation:
    """The same out of JSON and files."""
    return preparation_from(json.loads(json.dumps(preparation.to_json())), preparation.files(), **options)


def test_the_text_network_reads_tokens_of_these_texts() -> None:
    preparation = choose_preparation(TEXTS, "text")
    assert isinstance(preparation, TextTokens)
    rows = preparation.rows(TEXTS)
    expected = train_tokenizer(TEXTS).encode(TEXTS, preparation.length)
    assert np.array_equal(rows.ids, expected.ids)
    assert rows.vocabulary == expected.vocabulary
    assert "text network" in preparation.reason
    loaded = again(preparation)
    assert loaded == preparation
    new = ["a goal for the bank", "", "\N{GRINNING FACE}"]
    found = loaded.rows(new)
    assert isinstance(found, Tokens)
    assert np.array_equal(found.ids, preparation.rows(new).ids)


def test_no_more_tokens_are_read_than_the_longest_text_has_or_the_preset_allows() -> None:
    long = [*TEXTS, " ".join(SPORT * 100)]
    lengths = [len(split) for split in train_tokenizer(long).split(long)]
    assert 256 < max(lengths) < 1024
    for preset in ("text-rotten-tomatoes", "text-ag-news", "text-yahoo"):
        preparation = choose_preparation(long, "text", preset=preset)
        assert isinstance(preparation, TextTokens)
        assert preparation.length == min(TEXT_LENGTHS[preset], max(lengths))
    usual = choose_preparation(long, "text")
    assert isinstance(usual, TextTokens)
    assert usual.length < max(lengths)


def test_word_vectors_start_the_table_of_the_tokens(tmp_path: Path) -> None:
    file = tmp_path / "v.txt"
    file.write_text("2 3\ngoal 1 2 3\nbank 4 5 6\n")
    preparation = choose_preparation(TEXTS, vectors=file)
    assert isinstance(preparation, TextTokens)
    assert preparation.vectors is not None
    words = train_tokenizer(TEXTS).words()
    assert preparation.vectors[words.index(" goal")].tolist() == [1, 2, 3]
    assert preparation.vectors[words.index(" bank")].tolist() == [4, 5, 6]
    assert f"v.txt has vectors for 2 of {len(words)} tokens" in preparation.reason
