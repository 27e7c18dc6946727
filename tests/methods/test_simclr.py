"""SimCLR against plain loops."""

import pytest
import torch

import oracles
from credprop.methods import Batch
from credprop.methods.simclr import SimCLR, cosine_similarity
from credprop.methods.supcon import SupCon
from credprop.networks import Model


def test_simclr_is_nt_xent_with_cosines(model: Model, batch: Batch) -> None:
    loss = SimCLR(rows=7)(model, batch)["contrastive"]
    z = model.project(1.5 * torch.cat([batch.u[:7]] * 2)).detach()
    expected = oracles.nt_xent_loss(cosine_similarity(z).tolist(), 0.5)
    assert loss.item() == pytest.approx(sum(expected) / 14, rel=1e-5)


def test_the_contrast_does_not_change_the_classifier(model: Model, batch: Batch) -> None:
    for method in (SimCLR(), SupCon(k=3)):
        method(model, batch)["contrastive"].backward()
    assert all(p.grad is None for p in model.classifier.parameters())
