"""Word vectors of a file become those of the tokens."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from credprop.data import BytePairs, train_tokenizer
from credprop.data.word_vectors import read_word_vectors

WORDS = ["the", "cat", "unheard", "two words", "猫"]

VECTORS = np.arange(15, dtype=np.float32).reshape(5, 3) / 8 - 0.7


@pytest.fixture(scope="module")
def tokenizer() -> BytePairs:
    return train_tokenizer(["the cat sat", "the cats sitting", "the cat cat sitting"] * 2, vocabulary=290)


def lines(words: list[str] = WORDS, end: str = "\n") -> list[bytes]:
    rows = zip(words, VECTORS, strict=True)
    return [f"{word} {' '.join(map(str, vector))}{end}".encode() for word, vector in rows]


def binary(end: bytes) -> bytes:
    rows = zip(WORDS[:3] + WORDS[4:], np.delete(VECTORS, 3, axis=0), strict=True)
    return b"4 3\n" + b"".join(word.encode() + b" " + vector.tobytes() + end for word, vector in rows)


CONTENTS = {
    "text": b"5 3\n" + b"".join(lines()),
    "text without a head": b"".join(lines()),
    "text with spaces at the end": b"5 3\n" + b"".join(lines(end=" \n")),
    "binary": binary(b""),
    "binary with line ends": binary(b"\n"),
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("content", CONTENTS)
def test_known_words_take_their_vectors(
    content: str, packed: bool, tokenizer: BytePairs, tmp_path: Path
) -> None:
    path = tmp_path / ("vectors.gz" if packed else "vectors")
    path.write_bytes(gzip.compress(CONTENTS[content]) if packed else CONTENTS[content])
    result = read_word_vectors(path, tokenizer)
    words = tokenizer.words()
    assert result.found == 2
    assert result.table.shape == (tokenizer.vocabulary, 3)
    assert result.table.dtype == np.float32
    assert np.array_equal(result.table[words.index(" the")], VECTORS[0])
    assert np.array_equal(result.table[words.index(" cat")], VECTORS[1])
    others = np.delete(result.table, [words.index(" the"), words.index(" cat")], axis=0)
    assert abs(others.std() / VECTORS[:2].std() - 1) < 0.1
    assert len(np.unique(others, axis=0)) == len(others)


def test_pieces_within_a_word_take_only_vectors_of_pieces(tokenizer: BytePairs, tmp_path: Path) -> None:
    words, path = tokenizer.words(), tmp_path / "pieces.txt"
    assert "ting" in words
    path.write_bytes(b"".join(lines(["▁the", "ting", "the", "▁cat", "x y"])))
    table = read_word_vectors(path, tokenizer).table
    assert np.array_equal(table[words.index(" the")], VECTORS[0])
    assert np.array_equal(table[words.index("ting")], VECTORS[1])
    path.write_bytes(b"".join(lines(["the", "ting", "b", "c", "d"])))
    table = read_word_vectors(path, tokenizer).table
    assert not np.array_equal(table[words.index("ting")], VECTORS[1])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a file of word vectors"),
        (b"3 4\nthe \x00\x00", "ends within"),
        (b"the 1 2 3\ncat 1 2\n", "has 2 numbers, not 3"),
        (b"the 1 2 x\n", "is not a file of word vectors"),
        (b"nothing 1 2 3\n", "contains none of the tokens"),
    ],
)
def test_other_files_are_one_line_of_error(
    content: bytes, message: str, tokenizer: BytePairs, tmp_path: Path
) -> None:
    path = tmp_path / "vectors.txt"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as raised:
        read_word_vectors(path, tokenizer)
    assert "\n" not in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_missing_file_is_named(tokenizer: BytePairs, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"none\.txt: cannot be read"):
        read_word_vectors(tmp_path / "none.txt", tokenizer)
