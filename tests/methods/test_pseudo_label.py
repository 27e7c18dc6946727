"""Pseudo-Label: the weight in closed form, and nothing but labels while it is zero."""

import pytest
import torch
from torch.nn.functional import cross_entropy

from credprop.methods import Batch
from credprop.methods.pseudo_label import PseudoLabel
from credprop.networks import Model


def test_while_the_weight_is_zero_only_the_labels_count(model: Model, batch: Batch) -> None:
    for losses in (
        PseudoLabel(threshold=0.0)(model, batch),
        PseudoLabel(weight=0.0, begin=-1.0)(model, batch),
    ):
        assert losses["unsupervised"] == 0
        torch.testing.assert_close(losses["supervised"], cross_entropy(model(batch.x), batch.y))


@pytest.mark.parametrize(
    ("progress", "weight"), [(0.0, 0.0), (0.1, 0.0), (0.35, 1.5), (0.6, 3.0), (1.0, 3.0)]
)
def test_the_weight_grows_evenly_between_its_bounds(progress: float, weight: float) -> None:
    assert PseudoLabel().weight_at(progress) == pytest.approx(weight)


def test_without_a_threshold_every_prediction_is_a_label(model: Model, batch: Batch) -> None:
    """Lee's own form: the mean negative log of the largest probability."""
    losses = PseudoLabel(threshold=0.0, begin=-1.0, end=-0.5)(model, batch)
    expected = -model(batch.u).log_softmax(dim=1).amax(dim=1).mean()
    torch.testing.assert_close(losses["unsupervised"], 3 * expected)
