"""What comes in: one partly labeled data set, and the batches that are drawn from it."""

from credprop.data.batches import balanced_batches, random_batches
from credprop.data.labels import Coded, encode_labels
from credprop.data.partly_labeled import UNLABELED, PartlyLabeled, read_rows

__all__ = [
    "UNLABELED",
    "Coded",
    "PartlyLabeled",
    "balanced_batches",
    "encode_labels",
    "random_batches",
    "read_rows",
]
