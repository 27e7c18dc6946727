"""The choice of a preparation for rows, encoder and preset, and loading of a saved one."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import nn

from credprop.frozen import choose_frozen, find_sentence_encoder
from credprop.networks import ENCODERS
from credprop.prepare.frozen_vectors import FAMILIES, FrozenVectors, freeze
from credprop.prepare.rows import Arrays, Preparation, Raw, raw_kind
from credprop.prepare.text_tokens import BPEMB, TEXT_LENGTHS, TOKENIZER, TextTokens, choose_tokens

AUTO, TEXT = "auto", "text"
_INSTEAD = {
    "text": "auto, text, sentence or an nn.Module",
    "images": f"auto, pretrained, {', '.join(name for name in ENCODERS if name != 'mlp')} or an nn.Module",
    "vectors": "auto, mlp or an nn.Module",
}


def choose_preparation(
    x: Raw,
    encoder: Any = AUTO,
    *,
    preset: str = AUTO,
    vectors: str | Path | None = None,
    device: str | None = None,
) -> Preparation:
    """The preparation for rows like these; an error where the choices do not go together.

    `encoder` is a name, an nn.Module to train, or a frozen encoder (`choose_frozen`). For texts, "auto" is
    the sentence encoder where it can be used, else the text network. A preset for texts sets the number of
    tokens that are read at most. `vectors` are "bpemb" or a file of word vectors for the text network to
    start from.
    """
    length = TEXT_LENGTHS.get(preset)
    kind = raw_kind(x)
    _check_encoder(encoder, kind, vectors)
    if is_frozen(encoder):
        preparation: Preparation = freeze(encoder, "as given", device)
    elif _family(encoder) in FAMILIES:
        preparation = freeze(choose_frozen(encoder, device), "as asked for", device)
    elif kind != "text":
        preparation = Arrays()
    else:
        preparation = _for_texts(x, encoder, vectors, length, device)
    _check_preset(preset, length, preparation)
    return preparation


def _for_texts(
    texts: Any, encoder: Any, vectors: str | Path | None, length: int | None, device: str | None
) -> Preparation:
    def tokens(why: str) -> TextTokens:
        return choose_tokens(texts, why=why, vectors=vectors, length=length)

    if isinstance(encoder, nn.Module):
        return tokens("by an encoder of your own")
    if encoder == TEXT:
        return tokens("by the text network, as asked for")
    if vectors is not None:
        return tokens("by the text network, which word vectors are for")
    if length is not None:
        return tokens("by the text network, which the preset is for")
    found = find_sentence_encoder()
    if not found.available:
        return tokens(f"by the text network: {found.reason}")
    return freeze(choose_frozen("sentence", device), found.reason, device)


def _check_preset(preset: str, length: int | None, preparation: Preparation) -> None:
    """An error where the preset is of a network that has no use for such rows."""
    if preset == AUTO:
        return
    if preparation.kind == "frozen":
        raise ValueError(
            f"preset {preset!r} is for a network that learns to see or read, but {preparation.reason}; "
            "choose preset auto, or another encoder"
        )
    if preparation.kind == "tokens" and length is None:
        raise ValueError(
            f"preset {preset!r} is not for text; choose auto, or a preset whose name begins with text-"
        )


def is_frozen(encoder: Any) -> bool:
    """Whether this is a frozen encoder; a module is one to train."""
    return hasattr(encoder, "encode") and hasattr(encoder, "kind") and not isinstance(encoder, nn.Module)


def _family(encoder: Any) -> str:
    return encoder.partition(":")[0] if isinstance(encoder, str) else ""


def _check_encoder(encoder: Any, kind: str, vectors: str | Path | None) -> None:
    """An error where an encoder cannot take such rows."""
    if is_frozen(encoder):
        takes = encoder.kind
    elif _family(encoder) in FAMILIES:
        takes = FAMILIES[_family(encoder)]
    elif encoder == TEXT:
        takes = "text"
    elif isinstance(encoder, str) and encoder in ENCODERS:
        takes = "vectors" if encoder == "mlp" else "images"
    else:
        takes = kind
    name = encoder if isinstance(encoder, str) else getattr(encoder, "name", "")
    if takes != kind:
        raise ValueError(f"encoder {name} takes {takes}, the rows are {kind}; choose {_INSTEAD[kind]}")
    if vectors is not None and (kind != "text" or encoder not in (AUTO, TEXT)):
        raise ValueError("word vectors are for the text network; choose encoder text, for texts")


def preparation_from(
    saved: Mapping[str, Any], files: Mapping[str, str], *, device: str | None = None, given: Any = None
) -> Preparation:
    """The preparation described by `to_json` and `files`; a ValueError where the description is wrong.

    A frozen encoder is loaded when rows are encoded; `given` is the encoder itself where it is at hand.
    """
    kind = saved.get("kind")
    if kind == "arrays":
        return Arrays()
    if kind == "tokens":
        return _tokens(saved, files)
    if kind == "frozen":
        return _vectors(saved, device, given)
    raise ValueError(f"unknown kind of preparation {kind!r}")


def _tokens(saved: Mapping[str, Any], files: Mapping[str, str]) -> TextTokens:
    if TOKENIZER not in files:
        raise ValueError(f"{TOKENIZER} is missing")
    length, vocabulary = (_checked(saved, name, int) for name in ("length", "vocabulary"))
    tokens = TextTokens(files[TOKENIZER], vocabulary, length, _checked(saved, "reason", str))
    if length < 1:
        raise ValueError(f"length is {length}; it must be at least 1")
    try:
        kept_elsewhere = json.loads(tokens.saved)["kind"] == BPEMB  # perhaps not on this machine
        size = vocabulary if kept_elsewhere else tokens.tokenizer.encode([""], 1).vocabulary
    except Exception as error:  # of the library's own kinds
        raise ValueError(f"{TOKENIZER} is not a tokenizer ({error})") from error
    if size != vocabulary:
        raise ValueError(f"{TOKENIZER} has {size} tokens instead of {vocabulary}")
    return tokens


def _vectors(saved: Mapping[str, Any], device: str | None, given: Any) -> FrozenVectors:
    name, identity, takes, reason = (
        _checked(saved, name, str) for name in ("encoder", "identity", "takes", "reason")
    )
    if takes not in FAMILIES.values():
        raise ValueError(f"no frozen encoder takes rows of the kind {takes!r}")
    return FrozenVectors(name, identity, takes, reason, device, given)


def _checked(saved: Mapping[str, Any], name: str, kind: type) -> Any:
    if type(saved.get(name)) is not kind:
        raise ValueError(f"{name!r} of the preparation is missing or of a wrong type")
    return saved[name]
