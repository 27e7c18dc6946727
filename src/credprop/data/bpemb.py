"""The tokens and vectors of BPEmb (Heinzerling and Strube 2018), which the paper uses."""

import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

import numpy as np

from credprop.data.check_texts import check_texts
from credprop.data.files.source import reason
from credprop.data.tokenizer import padded
from credprop.data.tokens import Tokens


class BPEmbTokenizer:
    """BPEmb's tokenizer and vectors; ids are one more than BPEmb's, because 0 is padding."""

    def __init__(self, model: Any) -> None:
        self.model = model

    @property
    def vocabulary(self) -> int:
        """Number of ids, including padding."""
        return len(self.model.vectors) + 1

    def split(self, texts: Sequence[str]) -> list[list[int]]:
        """Ids of the tokens of every text, without padding."""
        found = self.model.encode_ids(check_texts(texts))
        return [[i + 1 for i in ids] for ids in found]

    def encode(self, texts: Sequence[str], length: int) -> Tokens:
        """Ids of the first `length` tokens of every text; shorter texts are padded."""
        return padded(self, texts, length)

    def vectors(self) -> np.ndarray:
        """BPEmb's vector for every id (vocabulary, width), and the mean of all for padding."""
        known = np.asarray(self.model.vectors, dtype=np.float32)
        return np.concatenate([known.mean(axis=0, keepdims=True), known])

    def to_json(self) -> str:
        """A description that identifies it; BPEmb's files are not copied."""
        model = self.model
        return json.dumps({"kind": "bpemb", "language": model.lang, "pieces": model.vs, "width": model.dim})


def load_bpemb(language: str = "en", pieces: int = 10_000, width: int = 100) -> BPEmbTokenizer:
    """BPEmb's tokenizer of this language, from its cache or the network."""
    try:
        from bpemb import BPEmb
    except ImportError as error:
        raise ValueError("BPEmb is not installed; run pip install 'credprop[bpemb]'") from error
    try:
        with redirect_stdout(sys.stderr):  # it prints what it downloads
            return BPEmbTokenizer(BPEmb(lang=language, vs=pieces, dim=width))
    except OSError as error:  # of the network or of the cache
        files = f"{language}.wiki.bpe.vs{pieces}.model and {language}.wiki.bpe.vs{pieces}.d{width}.w2v.bin"
        raise ValueError(
            f"BPEmb cannot be loaded ({' '.join(reason(error).splitlines())}); "
            f"download {files} into ~/.cache/bpemb/{language}"
        ) from error
