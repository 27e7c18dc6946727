"""Frozen pretrained encoders: texts or images become vectors once, and the vectors are cached."""

from credprop.frozen.cache import encode_once
from credprop.frozen.choose import choose_frozen
from credprop.frozen.protocol import Frozen, OnProgress
from credprop.frozen.sentence import Availability, find_sentence_encoder

__all__ = ["Availability", "Frozen", "OnProgress", "choose_frozen", "encode_once", "find_sentence_encoder"]
