"""The output for a row does not depend on the other rows of its batch."""

import numpy as np
import torch

from credprop.networks import build_model
from credprop.training import embed, predict_logits


def test_the_logits_of_a_vector_do_not_depend_on_its_batch() -> None:
    x = np.random.default_rng(0).normal(size=(700, 50)).astype(np.float32)
    model = build_model("mlp", torch.from_numpy(x[:2]), 3)
    together = predict_logits(model, x)
    assert together.shape == (700, 3)
    for rows in (slice(0, 1), slice(300, 301), slice(255, 400), slice(699, 700)):
        assert torch.equal(predict_logits(model, x[rows]), together[rows])
    assert torch.equal(embed(model, x[5:8]), embed(model, x)[5:8])
