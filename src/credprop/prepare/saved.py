"""A preparation out of what was saved of it."""

import json
from collections.abc import Mapping
from typing import Any

from credprop.prepare.arrays import Arrays
from credprop.prepare.tokens import BPEMB, TOKENIZER, TextTokens
from credprop.prepare.types import Preparation
from credprop.prepare.vectors import FAMILIES, FrozenVectors


def preparation_from(
    saved: Mapping[str, Any], files: Mapping[str, str], *, device: str | None = None, given: Any = None
) -> Preparation:
    """What `to_json` and `files` described; a ValueError where that cannot be.

    A frozen encoder is looked for only when rows are to be encoded; `given` is one that is at hand.
    """
    kind = saved.get("kind")
    if kind == "arrays":
        return Arrays()
    if kind == "tokens":
        return _tokens(saved, files)
    if kind == "frozen":
        return _vectors(saved, device, given)
    raise ValueError(f"no preparation is of the kind {kind!r}")


def _tokens(saved: Mapping[str, Any], files: Mapping[str, str]) -> TextTokens:
    if TOKENIZER not in files:
        raise ValueError(f"texts are split by {TOKENIZER}, which is not among the files")
    length, vocabulary = (_checked(saved, name, int) for name in ("length", "vocabulary"))
    tokens = TextTokens(files[TOKENIZER], vocabulary, length, _checked(saved, "reason", str))
    if length < 1:
        raise ValueError(f"texts have a length of {length}")
    try:
        kept_elsewhere = json.loads(tokens.saved)["kind"] == BPEMB  # and may have to be fetched
        size = vocabulary if kept_elsewhere else tokens.tokenizer.encode([""], 1).vocabulary
    except Exception as error:  # of the library's own kinds
        raise ValueError(f"{TOKENIZER} holds no tokenizer ({error})") from error
    if size != vocabulary:
        raise ValueError(f"{TOKENIZER} has {size} tokens, {vocabulary} were learned")
    return tokens


def _vectors(saved: Mapping[str, Any], device: str | None, given: Any) -> FrozenVectors:
    name, identity, takes, reason = (
        _checked(saved, name, str) for name in ("encoder", "identity", "takes", "reason")
    )
    if takes not in FAMILIES.values():
        raise ValueError(f"no frozen encoder takes {takes}")
    return FrozenVectors(name, identity, takes, reason, device, given)


def _checked(saved: Mapping[str, Any], name: str, kind: type) -> Any:
    if type(saved.get(name)) is not kind:
        raise ValueError(f"{name!r} of the preparation is missing or of a wrong type")
    return saved[name]
