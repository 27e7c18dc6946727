"""Parts of training that any method shares: device, optimizer, checkpoints, inference, random state."""

from credprop.training.device import Compute, choose_compute
from credprop.training.inference import accuracy, embed, predict_logits
from credprop.training.optimization import Phase
from credprop.training.randomness import isolated_random_state

__all__ = [
    "Compute",
    "Phase",
    "accuracy",
    "choose_compute",
    "embed",
    "isolated_random_state",
    "predict_logits",
]
