"""SupCon against plain loops."""

import pytest
import torch

import oracles
from credprop.functional import soft_contrastive_loss
from credprop.methods import Batch
from credprop.methods.simclr import cosine_similarity
from credprop.methods.supcon import SupCon
from credprop.networks import Model


def test_supcon_is_the_loss_of_its_paper_and_the_soft_contrastive_loss_of_one_hot_credibility(
    model: Model, batch: Batch
) -> None:
    loss = SupCon(k=3)(model, batch)["contrastive"]
    similarity = cosine_similarity(model.project(1.5 * torch.cat([batch.x] * 2)).detach())
    expected = oracles.supcon_loss(similarity.tolist(), batch.y.tolist() * 2, 0.1)
    assert loss.item() == pytest.approx(sum(expected) / 16, rel=1e-5)
    q = torch.nn.functional.one_hot(batch.y, 3).float().repeat(2, 1)
    torch.testing.assert_close(loss, soft_contrastive_loss(similarity, q, temperature=0.1).mean())
