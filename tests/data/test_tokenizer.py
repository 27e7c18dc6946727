"""Any text becomes tokens, the same ones every time."""

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from credprop.data import BytePairs, Tokens, choose_length, tokenizer_from_json, train_tokenizer
from credprop.data.tokenizer import padded

TEXTS = [
    "The cat sat on the mat.",
    "A cat and a dog sat there.",
    "the dog ate the cat's food",
    "Кот сидит на ковре",
    "猫が座っている",
] * 3
STRANGE = ["", "   ", "\ud800 lone", "😀 né ع", "<pad>", "\x00", "İstanbul", "a" * 3000]


@pytest.fixture(scope="module")
def tokenizer() -> BytePairs:
    return train_tokenizer(TEXTS, vocabulary=300)


def test_a_text_is_the_sum_of_its_tokens(tokenizer: BytePairs) -> None:
    words = tokenizer.words()
    for text in TEXTS:
        if text.isascii():
            (ids,) = tokenizer.split([text])
            assert "".join(words[i] for i in ids).strip() == text.lower()


def test_frequent_pairs_are_merged_and_the_vocabulary_is_kept(tokenizer: BytePairs) -> None:
    assert tokenizer.vocabulary == 300
    assert " the" in tokenizer.words()
    assert len(tokenizer.words()) == 300
    assert train_tokenizer([""], 5000).vocabulary == 257  # bytes and padding: there is nothing to merge


def test_case_is_the_same(tokenizer: BytePairs) -> None:
    assert tokenizer.split(["THE Cat"]) == tokenizer.split(["the cat"])


def test_any_text_has_tokens_that_are_no_padding(tokenizer: BytePairs) -> None:
    for text, ids in zip(STRANGE, tokenizer.split(STRANGE), strict=True):
        assert all(0 < i < tokenizer.vocabulary for i in ids), text
        assert bool(ids) == bool(text.strip())
    assert tokenizer.split(["\ud83d\ude00"]) == tokenizer.split(["😀"])  # two halves of one character
    train_tokenizer(STRANGE)


def test_rows_are_cropped_and_padded_at_the_end(tokenizer: BytePairs) -> None:
    tokens = tokenizer.encode(STRANGE, 4)
    assert tokens.shape == (len(STRANGE), 4)
    for row, ids in zip(tokens.ids.tolist(), tokenizer.split(STRANGE), strict=True):
        assert row == [*ids[:4], *[0] * (4 - len(ids))]
    assert not tokens.ids[0].any()


def test_a_tokenizer_survives_json_and_pickle(tokenizer: BytePairs) -> None:
    for other in (tokenizer_from_json(tokenizer.to_json()), pickle.loads(pickle.dumps(tokenizer))):
        assert other.vocabulary == tokenizer.vocabulary
        assert other.split(TEXTS + STRANGE) == tokenizer.split(TEXTS + STRANGE)
    assert json.loads(tokenizer.to_json())["kind"] == "byte pairs"


def test_another_process_imports_late_and_trains_the_same(tokenizer: BytePairs) -> None:
    program = """
import sys
import credprop.training
print([name for name in ("tokenizers", "bpemb") if name in sys.modules])
from data.test_tokenizer import TEXTS, train_tokenizer
print(train_tokenizer(TEXTS, vocabulary=300).to_json())
"""
    path = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    made = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "1", "RAYON_NUM_THREADS": "3"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert made.stdout.splitlines() == ["[]", tokenizer.to_json()]


def test_the_length_holds_most_texts_whole_within_bounds(tokenizer: BytePairs) -> None:
    texts = ["a"] * 90 + ["a b c d"] * 10
    assert choose_length(tokenizer, texts, share=0.85, most=64) == len(tokenizer.split(["a"])[0])
    assert choose_length(tokenizer, texts, share=0.95, most=64) == len(tokenizer.split(["a b c d"])[0])
    assert choose_length(tokenizer, texts, share=0.95, most=2) == 2
    assert choose_length(tokenizer, ["", ""]) == 1


def test_a_vocabulary_below_the_bytes_is_refused() -> None:
    with pytest.raises(ValueError, match="above 256"):
        train_tokenizer(TEXTS, vocabulary=256)


def test_tokens_of_no_text_are_no_rows(tokenizer: BytePairs) -> None:
    assert tokenizer.encode([], 3).ids.shape == (0, 3)
    assert np.issubdtype(tokenizer.encode([], 3).ids.dtype, np.integer)


class Recorder:
    """A tokenizer with a token per text, which remembers how many texts it was given at once."""

    vocabulary = 2

    def __init__(self) -> None:
        self.asked: list[int] = []

    def split(self, texts: Sequence[str]) -> list[list[int]]:
        self.asked.append(len(texts))
        return [[1] for _ in texts]

    def encode(self, texts: Sequence[str], length: int) -> Tokens:
        return padded(self, texts, length)

    def to_json(self) -> str:
        return "{}"


@pytest.mark.parametrize(
    ("texts", "at_once"), [(["x" * 1_500_000] * 7, [3, 3, 1]), (["x"] * 9000, [4096, 4096, 808])]
)
def test_long_and_many_texts_are_split_a_few_at_a_time(texts: list[str], at_once: list[int]) -> None:
    recorder = Recorder()
    assert recorder.encode(texts, 2).ids.tolist() == [[1, 0]] * len(texts)
    assert recorder.asked == at_once
