"""Texts and images are encoded once, based on the training rows only."""

import numpy as np
import pytest

from credprop.bench import Dataset, prepare_dataset
from credprop.data import Tokens, choose_length, train_tokenizer
from credprop.prepare import TEXT_LENGTHS

SEEN = [f"the {animal} number {i} sleeps" for i in range(20) for animal in ("cat", "dog")]
UNSEEN = ["a cat and a dog", "zebras zigzag", ""]


def texts() -> Dataset:
    x, test_x = (np.array(rows, dtype=object) for rows in (SEEN, UNSEEN))
    return Dataset(name="t", kind="text", x=x, y=np.arange(40) % 2, test_x=test_x, test_y=np.array([0, 1, 1]))


def test_tokens_come_only_from_the_training_texts() -> None:
    made = prepare_dataset(texts(), "text")
    tokenizer = train_tokenizer(SEEN)
    length = choose_length(tokenizer, SEEN)
    assert made.kind == "tokens"
    for rows, raw in ((made.x, SEEN), (made.test_x, UNSEEN)):
        assert isinstance(rows, Tokens)
        assert np.array_equal(rows.ids, tokenizer.encode(raw, length).ids)


def test_what_was_made_is_known_by_its_origin() -> None:
    tokens, again = (prepare_dataset(texts(), "text").fingerprint() for _ in range(2))
    vectors = prepare_dataset(texts(), "sentence")
    assert tokens == again
    assert len({tokens, vectors.fingerprint(), texts().fingerprint()}) == 3
    assert (vectors.kind, vectors.x.shape, vectors.test_x.shape) == ("vectors", (40, 384), (3, 384))


def test_progress_counts_training_and_test_rows_together() -> None:
    seen: list[tuple[int, int]] = []
    prepare_dataset(texts(), "sentence", lambda done, total: seen.append((done, total)))
    assert seen[-1] == (43, 43)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize("shape", [(6, 3), (6, 8, 8, 3)])
def test_vectors_and_images_stay_as_they_are(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, dtype=np.float32)
    data = Dataset(name="a", kind="vectors", x=x, y=np.arange(6) % 2, test_x=x[:2], test_y=np.arange(2))
    assert prepare_dataset(data) is data


def test_a_preset_of_the_paper_reads_as_many_tokens_as_the_paper() -> None:
    long = np.array([" ".join(f"word{i}" for i in range(700))] * 40, dtype=object)
    data = Dataset(name="t", kind="text", x=long, y=np.arange(40) % 2, test_x=long[:2], test_y=np.arange(2))
    widths = {preset: prepare_dataset(data, preset=preset).x.ids.shape[1] for preset in TEXT_LENGTHS}
    assert widths == TEXT_LENGTHS


@pytest.mark.parametrize(
    ("encoder", "preset", "message"),
    [("sentence", "text-yahoo", "for a network that learns"), ("text", "cifar10", "is not for text")],
)
def test_a_preset_for_something_else_is_refused(encoder: str, preset: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        prepare_dataset(texts(), encoder, preset=preset)
