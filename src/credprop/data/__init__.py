"""What comes in: one partly labeled data set, and the batches that are drawn from it."""

from credprop.data.batches import balanced_batches, random_batches
from credprop.data.partly_labeled import UNLABELED, PartlyLabeled, read_rows

__all__ = ["UNLABELED", "PartlyLabeled", "balanced_batches", "random_batches", "read_rows"]
