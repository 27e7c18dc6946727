"""A text is the same text wherever it comes in: Python, a table, a bench, an encoder, a tokenizer."""

import json
from pathlib import Path

import numpy as np
import pytest

from credprop import CCPClassifier
from credprop.bench import Dataset, prepare_dataset
from credprop.data import read_source, train_tokenizer
from credprop.estimator.validation import as_texts
from credprop.frozen import choose_frozen, encode_once
from credprop.prepare import choose_preparation
from text_world import Counter, labels, texts

HALF, BLANK, MISSING = "goal \ud83d match", " \n", None
GIVEN = [HALF, BLANK, MISSING]
READ = ["goal \N{REPLACEMENT CHARACTER} match", "", ""]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREDPROP_CACHE", str(tmp_path / "cache"))


def test_python_and_a_table_give_the_same_texts(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(json.dumps({"said": text}) for text in GIVEN))
    assert read_source(path, text="said", need_labels=False).x.tolist() == READ
    assert as_texts(GIVEN) == READ


def test_the_tokenizer_gives_the_same_tokens() -> None:
    tokenizer = train_tokenizer(texts())
    assert tokenizer.split(GIVEN) == tokenizer.split(READ)  # type: ignore[arg-type]
    assert train_tokenizer([*texts(), HALF]).to_json() == train_tokenizer([*texts(), READ[0]]).to_json()


@pytest.mark.parametrize("name", ["counter", "sentence"])
def test_a_frozen_encoder_gives_the_same_vectors_however_it_is_called(name: str, tmp_path: Path) -> None:
    encoder = Counter() if name == "counter" else choose_frozen(name)
    expected = encoder.encode(READ)
    assert np.array_equal(encode_once(encoder, GIVEN, tmp_path), expected)
    assert np.array_equal(choose_preparation(READ, encoder).rows(GIVEN), expected)  # type: ignore[arg-type]
    if name == "sentence":
        assert np.array_equal(encoder.encode(GIVEN), expected)  # type: ignore[arg-type]


@pytest.mark.parametrize("encoder", ["text", "sentence"])
def test_a_bench_gives_the_same_rows(encoder: str) -> None:
    given, read = (
        prepare_dataset(
            Dataset(
                name="t",
                kind="text",
                x=np.array([*texts(), *rows], dtype=object),
                y=np.arange(63) % 2,
                test_x=np.array(rows, dtype=object),
                test_y=np.array([0, 1, 0]),
            ),
            encoder,
        )
        for rows in (GIVEN, READ)
    )
    for one, other in ((given.x, read.x), (given.test_x, read.test_x)):
        assert np.array_equal(getattr(one, "ids", one), getattr(other, "ids", other))


@pytest.mark.filterwarnings("ignore:row .* (is empty|holds half a character)")
@pytest.mark.parametrize("encoder", ["text", "sentence"])
def test_the_classifier_learns_and_predicts_the_same(encoder: str) -> None:
    one, other = (
        CCPClassifier(encoder=encoder, trial=False, budget=0.02, max_iter=1, random_state=0).fit(
            [*texts(), *rows], [*labels(), None, None, None]
        )
        for rows in (GIVEN, READ)
    )
    assert np.array_equal(one.credibility_vectors_, other.credibility_vectors_)
    assert np.array_equal(one.predict_proba(GIVEN), other.predict_proba(READ))
