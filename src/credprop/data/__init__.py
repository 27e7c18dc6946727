"""Data: readers of files and folders, the partly labeled data set, tokenizers, batches."""

from credprop.data.batches import balanced_batches, random_batches
from credprop.data.dataset import UNLABELED, PartlyLabeled, read_rows
from credprop.data.files.read import column_names, read_source
from credprop.data.files.source import Source
from credprop.data.label_codes import LabelCodes, encode_labels
from credprop.data.tokenizer import BytePairs, Tokenizer, choose_length, tokenizer_from_json, train_tokenizer
from credprop.data.tokens import Tokens

__all__ = [
    "UNLABELED",
    "BytePairs",
    "LabelCodes",
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
