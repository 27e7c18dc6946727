"""SimCLR and SupCon against plain loops, and what each stage of them trains."""

import pytest
import torch

import oracles
from credprop.ccp.stages import planned_steps
from credprop.functional import soft_contrastive_loss
from credprop.methods import Batch, learn
from credprop.methods.classify import Classify
from credprop.methods.simclr import SimCLR, cosine_similarity
from credprop.methods.supcon import SupCon
from credprop.networks import Model
from methods.conftest import CPU, moons, small


def test_simclr_is_nt_xent_with_cosines(model: Model, batch: Batch) -> None:
    loss = SimCLR(rows=7)(model, batch)["contrastive"]
    z = model.project(1.5 * torch.cat([batch.u[:7]] * 2)).detach()
    expected = oracles.nt_xent_loss(cosine_similarity(z).tolist(), 0.5)
    assert loss.item() == pytest.approx(sum(expected) / 14, rel=1e-5)


def test_supcon_is_the_loss_of_its_paper_and_the_soft_contrastive_loss_of_one_hot_credibility(
    model: Model, batch: Batch
) -> None:
    loss = SupCon(k=3)(model, batch)["contrastive"]
    similarity = cosine_similarity(model.project(1.5 * torch.cat([batch.x] * 2)).detach())
    expected = oracles.supcon_loss(similarity.tolist(), batch.y.tolist() * 2, 0.1)
    assert loss.item() == pytest.approx(sum(expected) / 16, rel=1e-5)
    q = torch.nn.functional.one_hot(batch.y, 3).float().repeat(2, 1)
    torch.testing.assert_close(loss, soft_contrastive_loss(similarity, q, temperature=0.1).mean())


def test_a_frozen_encoder_gets_no_gradient_and_a_tuned_one_does(model: Model, batch: Batch) -> None:
    for frozen in (True, False):
        model.zero_grad()
        Classify(frozen=frozen)(model, batch)["supervised"].backward()
        assert all((p.grad is None) == frozen for p in model.encoder.parameters())
        assert all(p.grad is not None for p in model.classifier.parameters())


def test_the_classifier_has_the_steps_of_ccps_classifier_and_the_contrast_the_others() -> None:
    data, settings = moons(), small(40)
    learned = learn([SimCLR.start, Classify.fine_tune], data, settings, 0, compute=CPU)
    assert learned.steps == planned_steps(data, settings)
    last = {
        stage: [row["step"] for row in learned.history if row["stage"] == stage][-1]
        for stage in ("SimCLR", "Classify")
    }
    assert last == {"SimCLR": learned.steps - 12, "Classify": 12}


def test_the_contrast_leaves_the_classifier_alone(model: Model, batch: Batch) -> None:
    for method in (SimCLR(), SupCon(k=3)):
        method(model, batch)["contrastive"].backward()
    assert all(p.grad is None for p in model.classifier.parameters())
