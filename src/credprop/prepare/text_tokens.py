"""Texts as tokens, by a tokenizer that was trained on the texts to learn from or comes with its vectors."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, cast

import numpy as np

from credprop.data import Tokenizer, Tokens, choose_length, tokenizer_from_json, train_tokenizer
from credprop.data.bpemb import load_bpemb
from credprop.data.word_vectors import read_word_vectors
from credprop.frozen import OnProgress
from credprop.frozen.protocol import stay_silent
from credprop.prepare.rows import Raw

TOKENIZER = "tokenizer.json"
BPEMB = "bpemb"


@dataclass(frozen=True)
class TextTokens:
    """The first tokens of every text, for a network that learns to read.

    `saved` describes the tokenizer. `vectors` are first values for the network's vectors of tokens; they
    matter only before it learns and are not saved.
    """

    kind: ClassVar[Literal["tokens"]] = "tokens"

    saved: str
    vocabulary: int
    length: int
    reason: str
    vectors: np.ndarray | None = field(default=None, compare=False, repr=False)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer, made when it is needed."""
        return tokenizer_from_json(self.saved)

    def rows(self, x: Raw, on_progress: OnProgress = stay_silent) -> Tokens:
        """Tokens of the texts; it is quick, so nothing is said on the way."""
        return self.tokenizer.encode(cast("Sequence[str]", x), self.length)

    def to_json(self) -> dict[str, Any]:
        """All but the tokenizer, which is a file of its own."""
        sizes = {"vocabulary": self.vocabulary, "length": self.length}
        return {"kind": self.kind, **sizes, "reason": self.reason}

    def files(self) -> dict[str, str]:
        """The tokenizer."""
        return {TOKENIZER: self.saved}


def choose_tokens(
    texts: Sequence[str], *, why: str, vectors: str | Path | None = None, length: int | None = None
) -> TextTokens:
    """Tokens for texts like these.

    `vectors` are "bpemb" (English) or "bpemb:LANGUAGE", or a file in word2vec's format. Without `length`, the
    most tokens that are read of a text, 95 % of the texts are read whole, up to 64 tokens.
    """
    tokenizer, table, words = _tokenizer(texts, vectors)
    read = choose_length(tokenizer, texts) if length is None else _whole(tokenizer, texts, length)
    reason = f"of each text {read} tokens are read ({why}{words})"
    return TextTokens(tokenizer.to_json(), tokenizer.vocabulary, read, reason, table)


def _whole(tokenizer: Tokenizer, texts: Sequence[str], most: int) -> int:
    """As many tokens as the longest text has, up to a bound: what is beyond would be padding alone."""
    return choose_length(tokenizer, texts, share=1.0, most=most)


def _tokenizer(texts: Sequence[str], vectors: str | Path | None) -> tuple[Tokenizer, np.ndarray | None, str]:
    """The tokenizer, its vectors if there are any, and a word about them."""
    name, _, language = str(vectors).partition(":")
    if name == BPEMB:
        ready = load_bpemb(language or "en")
        return ready, ready.vectors(), f"; word vectors of BPEmb for the language {language or 'en'}"
    trained = train_tokenizer(texts)
    if vectors is None:
        return trained, None, ""
    path = Path(vectors).expanduser()
    found = read_word_vectors(path, trained)
    return (
        trained,
        found.table,
        f"; {path.name} has vectors for {found.found:,} of {len(found.table):,} tokens",
    )
