"""Tokenizers: byte-pair encoding trained on the user's own texts."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from credprop.data.check_texts import check_texts
from credprop.data.tokens import PADDING, Tokens

if TYPE_CHECKING:
    import tokenizers

VOCABULARY = 8000
_BYTES = 256  # every byte is a token
_CHUNK, _CHARACTERS = 4096, 1 << 22  # texts that are split at once, and their characters together


class Tokenizer(Protocol):
    """Splits texts into tokens."""

    @property
    def vocabulary(self) -> int:
        """Number of ids, including padding."""

    def split(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of the tokens of every text, without padding."""

    def encode(self, texts: Sequence[str], length: int) -> Tokens:
        """Ids of the first `length` tokens of every text; shorter texts are padded."""

    def to_json(self) -> str:
        """A description for `tokenizer_from_json`."""


class BytePairs:
    """Byte-level byte-pair encoding: any text can be encoded; case is ignored.

    Ids are one more than those of `tokenizers`, because 0 is padding, which no text contains.
    """

    def __init__(self, model: "tokenizers.Tokenizer") -> None:
        self.model = model

    @property
    def vocabulary(self) -> int:
        """Number of ids, including padding."""
        return self.model.get_vocab_size() + 1

    def split(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of the tokens of every text, without padding."""
        found = self.model.encode_batch(check_texts(texts))
        return [[i + 1 for i in encoding.ids] for encoding in found]

    def encode(self, texts: Sequence[str], length: int) -> Tokens:
        """Ids of the first `length` tokens of every text; shorter texts are padded."""
        return padded(self, texts, length)

    def words(self) -> list[str]:
        """The text of every id; that of padding is empty. A token that begins a word begins with a space."""
        decode = self.model.decoder.decode
        pieces = sorted(self.model.get_vocab().items(), key=lambda piece: piece[1])
        return ["", *(decode([piece]) for piece, _ in pieces)]

    def to_json(self) -> str:
        """A description for `tokenizer_from_json`."""
        return json.dumps({"kind": "byte pairs", "model": json.loads(self.model.to_str())})


def train_tokenizer(texts: Sequence[str], vocabulary: int = VOCABULARY) -> BytePairs:
    """A byte-pair encoding trained on these texts, with a vocabulary of at most this size."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    if vocabulary <= _BYTES:
        raise ValueError(f"the vocabulary is {vocabulary}; it must be above {_BYTES}, one token per byte")
    model = Tokenizer(models.BPE())
    model.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])
    model.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    model.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary - 1,
        min_frequency=2,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    model.train_from_iterator(check_texts(texts), trainer, length=len(texts))
    return BytePairs(model)


def padded(tokenizer: Tokenizer, texts: Sequence[str], length: int) -> Tokens:
    """Ids of the first `length` tokens of every text; shorter texts are padded."""
    ids = np.full((len(texts), length), PADDING, dtype=np.int32)
    for row, split in enumerate(_split(tokenizer, texts)):
        kept = split[:length]
        ids[row, : len(kept)] = kept
    return Tokens(ids, tokenizer.vocabulary)


def choose_length(tokenizer: Tokenizer, texts: Sequence[str], *, share: float = 0.95, most: int = 64) -> int:
    """The number of tokens that this share of the texts fits into, from one to `most`."""
    counts = [len(split) for split in _split(tokenizer, texts)]
    enough = int(np.ceil(np.quantile(counts, share))) if counts else 1
    return min(max(enough, 1), most)


def tokenizer_from_json(text: str) -> Tokenizer:
    """The tokenizer of this description."""
    saved: dict[str, Any] = json.loads(text)
    if saved["kind"] == "bpemb":
        from credprop.data.bpemb import load_bpemb

        return load_bpemb(saved["language"], saved["pieces"], saved["width"])
    from tokenizers import Tokenizer

    return BytePairs(Tokenizer.from_str(json.dumps(saved["model"])))


def _split(tokenizer: Tokenizer, texts: Sequence[str]) -> Iterator[list[int]]:
    for chunk in _chunks(texts):
        yield from tokenizer.split(chunk)


def _chunks(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in parts, because splitting takes about 60 bytes of memory per character."""
    chunk, characters = list[str](), 0
    for text in texts:
        chunk.append(text)
        characters += len(text)
        if len(chunk) == _CHUNK or characters >= _CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk
