"""From what a user has to rows for a network: chosen once, done again for every row to come."""

from credprop.prepare.check_texts import as_texts
from credprop.prepare.frozen_vectors import FAMILIES, FrozenVectors
from credprop.prepare.preparation import AUTO, TEXT, choose_preparation, is_frozen, preparation_from
from credprop.prepare.rows import Arrays, Preparation, Prepared, Raw, raw_kind
from credprop.prepare.text_tokens import TOKENIZER, TextTokens

__all__ = [
    "AUTO",
    "FAMILIES",
    "TEXT",
    "TOKENIZER",
    "Arrays",
    "FrozenVectors",
    "Preparation",
    "Prepared",
    "Raw",
    "TextTokens",
    "as_texts",
    "choose_preparation",
    "is_frozen",
    "preparation_from",
    "raw_kind",
]
