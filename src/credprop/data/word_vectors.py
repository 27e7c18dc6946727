"""Pretrained word vectors, from a file in word2vec's text or binary format."""

import gzip
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np

from credprop.data.files.source import file_error, reading, reason
from credprop.data.tokenizer import BytePairs

_BEGINS = "\N{LOWER ONE EIGHTH BLOCK}"  # how sentencepiece, and so BPEmb, marks the beginning of a word


@dataclass(frozen=True, eq=False)
class WordVectors:
    """A vector for every id of a tokenizer: from the file where it has one, else random."""

    table: np.ndarray  # float32 (vocabulary, width)
    found: int  # tokens that are in the file


def read_word_vectors(path: Path, tokenizer: BytePairs, seed: int = 0) -> WordVectors:
    """Vectors of the file for the tokens of this tokenizer; other tokens get random ones of the same scale.

    A token that begins a word gets the vector of a word, or of a piece that begins one. Tokens within a word
    get vectors only from files that tell the two apart.
    """
    words = tokenizer.words()
    begins = {word[1:]: i for i, word in enumerate(words) if word.startswith(" ") and word.strip()}
    inner = {word: i for i, word in enumerate(words) if word.strip() and not word.startswith(" ")}
    marked = {_BEGINS + word: i for word, i in begins.items()}
    known = _read(path, begins.keys() | inner.keys() | marked.keys())
    pieces = any(word.startswith(_BEGINS) for word in known)
    place = marked | inner if pieces else begins
    rows = {place[word]: vector for word, vector in known.items() if word in place}
    if not rows:
        raise file_error(
            path, "contains none of the tokens of these texts; use word vectors of their language"
        )
    vectors = np.stack(list(rows.values()))
    random = np.random.default_rng(seed).standard_normal((len(words), vectors.shape[1]), dtype=np.float32)
    table = vectors.mean() + vectors.std() * random
    table[list(rows)] = vectors
    return WordVectors(table.astype(np.float32), len(rows))


def _read(path: Path, wanted: Collection[str]) -> dict[str, np.ndarray]:
    """The vectors of the wanted words; of a duplicate word the first one."""
    found: dict[str, np.ndarray] = {}
    with reading(path), _opened(path) as file:
        try:
            for word, vector in _entries(file):
                if word in wanted and word not in found:
                    found[word] = vector
        except (ValueError, EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise file_error(
                path, f"is not a file of word vectors ({reason(error)}); use word2vec's format"
            ) from error
    return found


def _opened(path: Path) -> BinaryIO:
    return cast("BinaryIO", gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def _entries(file: BinaryIO) -> Iterator[tuple[str, np.ndarray]]:
    """Words and vectors; the first line may give their number and width."""
    first = file.readline()
    numbers = first.split()
    width = int(numbers[1]) if len(numbers) == 2 else len(numbers) - 1
    if width < 1:
        raise ValueError("its first line has no numbers")
    if len(numbers) != 2:
        yield _of_line(first, width)
        yield from _of_lines(file, width)
        return
    start = file.tell()
    try:
        _of_line(file.readline(), width)
        text = True
    except ValueError:
        text = False
    file.seek(start)
    yield from _of_lines(file, width) if text else _of_bytes(file, int(numbers[0]), width)


def _of_lines(file: BinaryIO, width: int) -> Iterator[tuple[str, np.ndarray]]:
    for line in file:
        if line.strip():
            yield _of_line(line, width)


def _of_line(line: bytes, width: int) -> tuple[str, np.ndarray]:
    """A word, which may contain spaces, and the numbers after it."""
    word, *numbers = line.decode("utf-8").rstrip().rsplit(" ", width)
    if len(numbers) != width:
        raise ValueError(f"a line has {len(numbers)} numbers, not {width}")
    return word, np.array(numbers, dtype=np.float32)


def _of_bytes(file: BinaryIO, count: int, width: int) -> Iterator[tuple[str, np.ndarray]]:
    """A word, a space and the numbers as bytes, perhaps with a line end between entries."""
    size = 4 * width
    for _ in range(count):
        word = bytearray()
        while (byte := file.read(1)) != b" ":
            if not byte:
                raise EOFError("the file ends within a word")
            word += byte
        content = file.read(size)
        if len(content) < size:
            raise EOFError("the file ends within a vector")
        yield word.decode("utf-8", "replace").lstrip("\n"), np.frombuffer(content, dtype="<f4")
