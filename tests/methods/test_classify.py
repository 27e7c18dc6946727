"""The classifier stage after contrastive pretraining."""

from credprop.ccp.stages import planned_steps
from credprop.methods import Batch, learn
from credprop.methods.classify import Classify
from credprop.methods.simclr import SimCLR
from credprop.networks import Model
from methods.conftest import CPU, moons, small


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
