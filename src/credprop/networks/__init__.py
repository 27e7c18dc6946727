"""Encoders for vectors and images, heads, and the model that holds them."""

from credprop.networks.encoders import ENCODERS, build_encoder
from credprop.networks.mlp import mlp
from credprop.networks.model import Model, build_model
from credprop.networks.residual import small_resnet, wide_resnet

__all__ = ["ENCODERS", "Model", "build_encoder", "build_model", "mlp", "small_resnet", "wide_resnet"]
