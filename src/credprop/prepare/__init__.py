"""From what a user has to rows for a network: chosen once, done again for every row to come."""

from credprop.prepare.arrays import Arrays
from credprop.prepare.choose import AUTO, TEXT, choose_preparation, is_frozen
from credprop.prepare.saved import preparation_from
from credprop.prepare.texts import as_texts
from credprop.prepare.tokens import TOKENIZER, TextTokens
from credprop.prepare.types import Preparation, Prepared, Raw, raw_kind
from credprop.prepare.vectors import FAMILIES, FrozenVectors

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
