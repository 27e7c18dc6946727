"""Encoders for vectors, images and texts, heads, and the model that combines them."""

from credprop.networks.blend import Blend
from credprop.networks.encoders import ENCODERS, build_encoder
from credprop.networks.mlp import mlp
from credprop.networks.model import Model, build_model
from credprop.networks.residual import small_resnet, wide_resnet
from credprop.networks.text_network import TextEncoder, TextNetwork, embedding_table

__all__ = [
    "ENCODERS",
    "Blend",
    "Model",
    "TextEncoder",
    "TextNetwork",
    "build_encoder",
    "build_model",
    "embedding_table",
    "mlp",
    "small_resnet",
    "wide_resnet",
]
