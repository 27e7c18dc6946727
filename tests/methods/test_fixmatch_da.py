"""FixMatch with distribution alignment."""

import torch

from credprop.methods import Batch
from credprop.methods.fixmatch import FixMatch
from credprop.methods.fixmatch_da import AlignedFixMatch
from credprop.networks import Model


def test_aligned_fixmatch_is_fixmatch_while_predictions_are_as_frequent_as_labels(
    model: Model, batch: Batch
) -> None:
    target = model(batch.u).softmax(dim=1).mean(dim=0).detach()
    plain, aligned = FixMatch(threshold=0.4), AlignedFixMatch(target=target, threshold=0.4)
    torch.testing.assert_close(aligned(model, batch), plain(model, batch))
