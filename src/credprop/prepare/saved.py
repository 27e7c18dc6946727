"""A preparation out of what was saved of it."""

import json
from collections.abc import Mapping
from typing import Any

from credprop.prepare.arrays import Arrays
from credprop.prepare.tokens import TOKENIZER, TextTokens
from credprop.prepare.types import Preparation
from credprop.prepare.vectors import FrozenVectors


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
        words = {name: _checked(saved, name, str) for name in ("identity", "takes", "reason")}
        return FrozenVectors(name=_checked(saved, "encoder", str), **words, device=device, given=given)
    raise ValueError(f"no preparation is of the kind {kind!r}")


def _tokens(saved: Mapping[str, Any], files: Mapping[str, str]) -> TextTokens:
    length = _checked(saved, "length", int)
    if length < 1:
        raise ValueError(f"texts have a length of {length}")
    tokens = TextTokens(files[TOKENIZER], length, _checked(saved, "reason", str))
    try:
        if json.loads(tokens.saved)["kind"] != "bpemb":  # which may have to be fetched
            tokens.tokenizer.encode([""], 1)
    except Exception as error:  # of the library's own kinds
        raise ValueError(f"{TOKENIZER} holds no tokenizer ({error})") from error
    return tokens


def _checked(saved: Mapping[str, Any], name: str, kind: type) -> Any:
    if not isinstance(saved.get(name), kind):
        raise ValueError(f"{name!r} of the preparation is missing or of a wrong type")
    return saved[name]
