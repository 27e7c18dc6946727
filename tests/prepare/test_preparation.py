"""Which rows a network gets, why, and that a saved preparation gives the same ones again."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from torch import nn

from credprop.data import Tokens, train_tokenizer
from credprop.prepare import (
    FrozenVectors,
    Preparation,
    TextTokens,
    as_texts,
    choose_preparation,
    preparation_from,
)
from text_world import MONEY, SPORT, Counter, block, texts

TEXTS = texts()
IMAGES = np.zeros((4, 6, 6, 3), np.uint8)
VECTORS = np.zeros((4, 3), np.float32)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDPROP_CACHE", str(tmp_path / "cache"))


def again(preparation: Preparation, **options: Any) -> Preparation:
    """The same out of JSON and files."""
    return preparation_from(json.loads(json.dumps(preparation.to_json())), preparation.files(), **options)


@pytest.mark.parametrize(
    "x",
    [
        ["a b", "c"],
        ("a b", "c"),
        np.array(["a b", "c"]),
        np.array([["a b"], ["c"]], dtype=object),
        pd.Series(["a b", "c"], index=[7, 3]),
        pd.Series(["a b", "c"], dtype="category"),
        pd.DataFrame({"t": ["a b", "c"]}, dtype="string"),
    ],
    ids=["list", "tuple", "array", "column", "series", "category", "frame"],
)
def test_texts_of_every_form_are_texts(x: Any) -> None:
    assert as_texts(x) == ["a b", "c"]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT, "", " \n"], ids=repr)
def test_what_is_missing_is_empty_text_and_said_once_with_its_row(missing: Any) -> None:
    with pytest.warns(UserWarning, match=r"row 1 is empty .* \(rows like it: 2\)") as caught:
        assert as_texts(["a", missing, "b", missing]) == ["a", "", "b", ""]
    assert len(caught) == 1


@pytest.mark.parametrize(
    "x",
    [[1, 2], [[1.0, 2.0]], VECTORS, IMAGES, pd.DataFrame(VECTORS), [None, None], "one text", [["a"], ["b"]]],
    ids=["numbers", "lists", "vectors", "images", "frame", "nothing", "a text", "lists of texts"],
)
def test_other_things_are_no_texts(x: Any) -> None:
    assert as_texts(x) is None


@pytest.mark.parametrize("other", [3, 2.5, b"a", ["a"], {"a": 1}], ids=repr)
def test_what_is_no_text_among_texts_is_refused_with_its_row(other: Any) -> None:
    with pytest.raises(ValueError, match=r"row 2 is .*, not text"):
        as_texts(["a", "b", other])


def test_arrays_stay_as_they_are() -> None:
    for x in (VECTORS, IMAGES):
        preparation = choose_preparation(x)
        assert preparation.kind == "arrays"
        assert preparation.reason == ""
        assert preparation.rows(x) is x
        assert again(preparation) == preparation


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
    long = [*TEXTS, " ".join(SPORT * 40)]
    lengths = [len(split) for split in train_tokenizer(long).split(long)]
    for most in (7, 100, 1000):
        preparation = choose_preparation(long, "text", length=most)
        assert isinstance(preparation, TextTokens)
        assert preparation.length == min(most, max(lengths))
    usual = choose_preparation(long, "text")
    assert isinstance(usual, TextTokens)
    assert usual.length < max(lengths)


def test_auto_takes_the_sentence_encoder_where_it_is_at_hand_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = choose_preparation(TEXTS)
    assert isinstance(here, FrozenVectors)
    assert here.name == "sentence:all-MiniLM-L6-v2"
    assert "sentence-transformers is installed" in here.reason
    assert choose_preparation(TEXTS, length=16).kind == "tokens"
    block(monkeypatch, "sentence_transformers")
    without = choose_preparation(TEXTS)
    assert without.kind == "tokens"
    assert "sentence-transformers is not installed" in without.reason
    with pytest.raises(ValueError, match=r"sentence-transformers is not installed; pip install"):
        choose_preparation(TEXTS, "sentence")


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


def test_a_network_of_ones_own_must_be_given_again() -> None:
    from credprop.frozen import choose_frozen

    net = nn.Sequential(nn.Flatten(), nn.Linear(108, 5))
    preparation = choose_preparation(IMAGES, choose_frozen(net))
    assert preparation.rows(IMAGES).shape == (4, 5)
    with pytest.raises(ValueError, match=r"network of your own .* give it as `encoder`"):
        again(preparation).rows(IMAGES)
    given = again(preparation, given=choose_frozen(net))
    assert np.array_equal(given.rows(IMAGES), preparation.rows(IMAGES))  # type: ignore[arg-type]


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


UNFIT = [
    (TEXTS, {"encoder": "mlp"}, "encoder mlp takes vectors, the rows are text; choose auto, text, sentence"),
    (TEXTS, {"encoder": "wrn-28-2"}, "takes images, the rows are text"),
    (TEXTS, {"encoder": "pretrained:x"}, "pretrained:x takes images, the rows are text"),
    (IMAGES, {"encoder": "sentence"}, "takes text, the rows are images; choose auto, pretrained"),
    (IMAGES, {"encoder": "text"}, "takes text, the rows are images"),
    (IMAGES, {"encoder": Counter()}, "encoder counter takes text, the rows are images"),
    (VECTORS, {"encoder": "pretrained"}, "takes images, the rows are vectors; choose auto, mlp"),
    (VECTORS, {"vectors": "bpemb"}, "word vectors are for the text network"),
    (TEXTS, {"vectors": "bpemb", "encoder": "sentence"}, "word vectors are for the text network"),
    (TEXTS, {"vectors": "no such file"}, "no such file: cannot be read"),
]


@pytest.mark.parametrize(("x", "options", "words"), UNFIT, ids=[unfit[2] for unfit in UNFIT])
def test_what_does_not_fit_is_refused(x: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        choose_preparation(x, **options)


SAVED = train_tokenizer(TEXTS).to_json()
TOKENS = {"kind": "tokens", "vocabulary": train_tokenizer(TEXTS).vocabulary, "length": 3, "reason": ""}
BROKEN: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({}, {}),
    ({"kind": "magic"}, {}),
    ({"kind": "frozen", "encoder": "sentence"}, {}),
    ({"kind": "frozen", "encoder": 3, "identity": "", "takes": "text", "reason": ""}, {}),
    ({"kind": "frozen", "encoder": "sentence", "identity": "", "takes": "smells", "reason": ""}, {}),
    (TOKENS | {"length": 0}, {"tokenizer.json": SAVED}),
    (TOKENS | {"length": True}, {"tokenizer.json": SAVED}),
    (TOKENS | {"vocabulary": 3}, {"tokenizer.json": SAVED}),
    (TOKENS, {}),
    (TOKENS, {"tokenizer.json": "[]"}),
    (TOKENS, {"tokenizer.json": '{"kind": "byte pairs", "model": 3}'}),
]


def test_what_was_saved_is_accepted() -> None:
    assert preparation_from(TOKENS, {"tokenizer.json": SAVED}).rows(TEXTS).shape == (len(TEXTS), 3)


@pytest.mark.parametrize(("saved", "files"), BROKEN)
def test_what_cannot_have_been_saved_is_refused(saved: dict[str, Any], files: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        preparation_from(saved, files)
