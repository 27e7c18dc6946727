"""What comes in: files and folders, one partly labeled data set, and the batches drawn from it."""

from credprop.data.batches import balanced_batches, random_batches
from credprop.data.coded import Coded, encode_labels
from credprop.data.partly_labeled import UNLABELED, PartlyLabeled, read_rows
from credprop.data.reader import column_names, read_source
from credprop.data.source import Source
from credprop.data.tokenizer import BytePairs, Tokenizer, choose_length, tokenizer_from_json, train_tokenizer
from credprop.data.tokens import Tokens

__all__ = [
    "UNLABELED",
    "BytePairs",
    "Coded",
    "PartlyLabeled",
    "Source",
    "Tokenizer",
    "Tokens",
    "balanced_batches",
    "choose_length",
    "column_names",
    "encode_labels",
    "random_batches",
    "read_rows",
    "read_source",
    "tokenizer_from_json",
    "train_tokenizer",
]
