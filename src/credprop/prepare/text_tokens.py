"""Texts as tokens, by a tokenizer trained on the texts, or by BPEmb's."""

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
from credprop.frozen.protocol import no_progress
from credprop.prepare.rows import Raw

TOKENIZER = "tokenizer.json"
BPEMB = "bpemb"
# How many tokens of a text the paper reads; other presets leave it to the data.
TEXT_LENGTHS = {
    "text-ag-news": 512,
    "text-dbpedia": 512,
    "text-rotten-tomatoes": 256,
    "text-yahoo": 1024,
}


@dataclass(frozen=True)
class TextTokens:
    """The first tokens of every text, for the text network.

    `saved` describes the tokenizer, `given` is the tokenizer itself where it is at hand. `vectors` are first
    values for the network's vectors of tokens; they matter only before it learns and are not saved.
    """

    kind: ClassVar[Literal["tokens"]] = "tokens"

    saved: str
    vocabulary: int
    length: int
    reason: str
    vectors: np.ndarray | None = field(default=None, compare=False, repr=False)
    given: Tokenizer | None = field(default=None, compare=False, repr=False)

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer, made when it is needed."""
        return self.given or tokenizer_from_json(self.saved)

    def rows(self, x: Raw, on_progress: OnProgress = no_progress) -> Tokens:
        """Tokens of the texts; this is fast and reports no progress."""
        return self.tokenizer.encode(cast("Sequence[str]", x), self.length)

    def to_json(self) -> dict[str, Any]:
        """Everything but the tokenizer, which is a separate file."""
        sizes = {"vocabulary": self.vocabulary, "length": self.length}
        return {"kind": self.kind, **sizes, "reason": self.reason}

    def files(self) -> dict[str, str]:
        """The tokenizer."""
        return {TOKENIZER: self.saved}


def choose_tokens(
    texts: Sequence[str], *, why: str, vectors: str | Path | None = None, length: int | None = None
) -> TextTokens:
    """Tokens for texts like these.

    `vectors` are "bpemb" (English), "bpemb:LANGUAGE" or a file in word2vec's format. `length` is the largest
    number of tokens of a text; by default it holds 95 % of the texts completely, up to 64 tokens.
    """
    tokenizer, table, words = _tokenizer(texts, vectors)
    read = choose_length(tokenizer, texts) if length is None else _whole(tokenizer, texts, length)
    reason = f"of each text {read} tokens are read ({why}{words})"
    return TextTokens(tokenizer.to_json(), tokenizer.vocabulary, read, reason, table, tokenizer)


def _whole(tokenizer: Tokenizer, texts: Sequence[str], most: int) -> int:
    """The number of tokens of the longest text, up to a bound; more would only add padding."""
    return choose_length(tokenizer, texts, share=1.0, most=most)


def _tokenizer(texts: Sequence[str], vectors: str | Path | None) -> tuple[Tokenizer, np.ndarray | None, str]:
    """The tokenizer, its vectors if there are any, and a note about them."""
    name, _, language = str(vectors).partition(":")
    if name == BPEMB:
        pretrained = load_bpemb(language or "en")
        return (
            pretrained,
            pretrained.vectors(),
            f"; word vectors of BPEmb for the language {language or 'en'}",
        )
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
