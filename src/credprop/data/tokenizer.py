"""From texts to tokens, by the pairs of bytes that are frequent in the user's own texts."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from credprop.data.tokens import PADDING, Tokens

if TYPE_CHECKING:
    import tokenizers

VOCABULARY = 8000
_BYTES = 256  # the least vocabulary: every byte is a token
_CHUNK, _CHARACTERS = 4096, 1 << 22  # texts that are split at once, and about how long they may be together


class Tokenizer(Protocol):
    """Splits texts into tokens."""

    @property
    def vocabulary(self) -> int:
        """How many ids there are, padding among them."""

    def split(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of the tokens of every text, without padding."""

    def encode(self, texts: Sequence[str], length: int) -> Tokens:
        """The first tokens of every text, this many; shorter texts are padded."""

    def to_json(self) -> str:
        """All that is needed to make it again."""


class BytePairs:
    """A byte-level byte-pair encoding: any text can be encoded, and lower and upper case are the same.

    Its ids are one more than those of `tokenizers`, which knows nothing of our padding: no text can hold it.
    """

    def __init__(self, model: "tokenizers.Tokenizer") -> None:
        self.model = model

    @property
    def vocabulary(self) -> int:
        """How many ids there are, padding among them."""
        return self.model.get_vocab_size() + 1

    def split(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of the tokens of every text, without padding."""
        found = self.model.encode_batch([well_formed(text) for text in texts])
        return [[i + 1 for i in encoding.ids] for encoding in found]

    def encode(self, texts: Sequence[str], length: int) -> Tokens:
        """The first tokens of every text, this many; shorter texts are padded."""
        return padded(self, texts, length)

    def words(self) -> list[str]:
        """The text of every id; that of padding is empty. A token that begins a word begins with a space."""
        decode = self.model.decoder.decode
        pieces = sorted(self.model.get_vocab().items(), key=lambda piece: piece[1])
        return ["", *(decode([piece]) for piece, _ in pieces)]

    def to_json(self) -> str:
        """All that is needed to make it again."""
        return json.dumps({"kind": "byte pairs", "model": json.loads(self.model.to_str())})


def train_tokenizer(texts: Sequence[str], vocabulary: int = VOCABULARY) -> BytePairs:
    """Byte pairs of these texts, at most as many as the vocabulary has room for."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    if vocabulary <= _BYTES:
        raise ValueError(f"the vocabulary is {vocabulary}; it must be above {_BYTES}, a token for every byte")
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
    model.train_from_iterator((well_formed(text) for text in texts), trainer, length=len(texts))
    return BytePairs(model)


def padded(tokenizer: Tokenizer, texts: Sequence[str], length: int) -> Tokens:
    """The first tokens of every text, this many; shorter texts are padded."""
    ids = np.full((len(texts), length), PADDING, dtype=np.int32)
    for row, split in enumerate(_split(tokenizer, texts)):
        kept = split[:length]
        ids[row, : len(kept)] = kept
    return Tokens(ids, tokenizer.vocabulary)


def choose_length(tokenizer: Tokenizer, texts: Sequence[str], *, share: float = 0.95, most: int = 64) -> int:
    """How many tokens hold this share of the texts whole, at least one and at most `most`."""
    counts = [len(split) for split in _split(tokenizer, texts)]
    enough = int(np.ceil(np.quantile(counts, share))) if counts else 1
    return min(max(enough, 1), most)


def tokenizer_from_json(text: str) -> Tokenizer:
    """The tokenizer that `to_json` described."""
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
    """The texts in parts: splitting takes memory, some 60 bytes a character."""
    chunk, characters = list[str](), 0
    for text in texts:
        chunk.append(text)
        characters += len(text)
        if len(chunk) == _CHUNK or characters >= _CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


def well_formed(text: str) -> str:
    """Text with the mark of a lost character for half a surrogate pair, which no encoding can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
