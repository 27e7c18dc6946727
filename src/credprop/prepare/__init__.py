"""Preparation: how a user's rows become rows for a network, chosen once and then applied to all rows."""

from credprop.prepare.frozen_vectors import FAMILIES, FrozenVectors
from credprop.prepare.preparation import AUTO, TEXT, choose_preparation, is_frozen, preparation_from
from credprop.prepare.rows import Arrays, Preparation, Prepared, Raw, raw_kind
from credprop.prepare.text_tokens import TEXT_LENGTHS, TOKENIZER, TextTokens

__all__ = [
    "AUTO",
    "FAMILIES",
    "TEXT",
    "TEXT_LENGTHS",
    "TOKENIZER",
    "Arrays",
    "FrozenVectors",
    "Preparation",
    "Prepared",
    "Raw",
    "TextTokens",
    "choose_preparation",
    "is_frozen",
    "preparation_from",
    "raw_kind",
]
