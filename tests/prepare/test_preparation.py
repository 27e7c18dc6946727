"""Which preparation is chosen and why; a saved one is checked."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from credprop.data import train_tokenizer
from credprop.prepare import (
    FrozenVectors,
    Preparation,
    choose_preparation,
    preparation_from,
)
from text_world import Counter, block, texts

TEXTS = texts()

IMAGES = np.zeros((4, 6, 6, 3), np.uint8)

VECTORS = np.zeros((4, 3), np.float32)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDPROP_CACHE", str(tmp_path / "cache"))


def again(preparation: Preparation, **options: Any) -> Preparation:
    """The same out of JSON and files."""
    return preparation_from(json.loads(json.dumps(preparation.to_json())), preparation.files(), **options)


def test_arrays_stay_as_they_are() -> None:
    for x in (VECTORS, IMAGES):
        preparation = choose_preparation(x)
        assert preparation.kind == "arrays"
        assert preparation.reason == ""
        assert preparation.rows(x) is x
        assert again(preparation) == preparation


def test_auto_uses_the_sentence_encoder_if_available_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = choose_preparation(TEXTS)
    assert isinstance(here, FrozenVectors)
    assert here.name == "sentence:all-MiniLM-L6-v2"
    assert "sentence-transformers is installed" in here.reason
    assert choose_preparation(TEXTS, preset="text-yahoo").kind == "tokens"
    block(monkeypatch, "sentence_transformers")
    without = choose_preparation(TEXTS)
    assert without.kind == "tokens"
    assert "sentence-transformers is not installed" in without.reason
    with pytest.raises(ValueError, match=r"sentence-transformers is not installed; run pip install"):
        choose_preparation(TEXTS, "sentence")


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
