"""The default of credprop as a method of the comparison: what it says about itself."""

import numpy as np
import pytest
import torch

from credprop.methods import Learned, choose_method
from credprop.trial import TrialOptions, fit_with_trial
from methods.conftest import CPU, blobs, small

DATA = blobs(3 * torch.eye(3, 5), [40, 40, 40], [6, 6, 6], spread=1.0)


@pytest.fixture(scope="module")
def learned() -> Learned:
    return choose_method("ccp")(DATA, small(20), 0, compute=CPU)


def test_it_is_a_fit_with_a_trial(learned: Learned) -> None:
    outcome = fit_with_trial(DATA, small(20), TrialOptions(), compute=CPU)
    assert learned.judged is not None
    assert learned.pseudo_labels is not None
    assert torch.equal(learned.judged.confidence, outcome.probability.amax(dim=1))
    assert torch.equal(learned.pseudo_labels, outcome.probability.argmax(dim=1))
    assert torch.equal(learned.judged.issues, outcome.findings.issues)
    assert learned.judged.label_noise == outcome.label_noise
    assert learned.history == outcome.result.history
    assert (learned.steps, learned.samples) == (outcome.result.steps, outcome.result.views)


def test_its_predictions_are_the_classes_that_it_finds_most_probable(learned: Learned) -> None:
    assert learned.judged is not None
    x = 3 * np.random.default_rng(0).normal(size=(50, 5))
    probability = learned.judged.probabilities(x)
    torch.testing.assert_close(probability.sum(dim=1), torch.ones(50, dtype=torch.float64))
    assert torch.equal(probability.argmax(dim=1), learned.predict(x))


def test_only_given_labels_are_issues_and_the_row_of_a_run_gets_its_weights(learned: Learned) -> None:
    assert learned.judged is not None
    assert not learned.judged.issues[DATA.labels < 0].any()
    facts = learned.judged.facts
    assert facts.keys() == {"weights", "certificate", "shipped"}
    assert sum(facts["weights"].values()) == pytest.approx(1, abs=1e-3)
    difference, low, high = facts["certificate"]
    assert low <= difference <= high
    assert facts["shipped"] in ("blend", "supervised", "linear")


def test_where_no_label_can_be_hidden_there_is_no_certificate() -> None:
    single = blobs(3 * torch.eye(2, 3), [20, 20], [1, 1], spread=1.0)
    judged = choose_method("ccp")(single, small(10), 0, compute=CPU).judged
    assert judged is not None
    assert judged.facts["certificate"] is judged.facts["shipped"] is judged.label_noise is None
    assert not judged.issues.any()
