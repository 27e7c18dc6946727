"""A fit with a trial: what it ships, what it says of rows and labels, and how it goes on after a stop."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from ccp.conftest import able, blobs, tiny
from credprop.ccp import Progress, train
from credprop.data import PartlyLabeled
from credprop.training import predict_logits
from credprop.trial import Outcome, TrialOptions, fit_with_trial
from credprop.trial.candidates import CANDIDATES
from credprop.trial.fit import NEAR_ZERO, judge, ship
from credprop.trial.trial import begin_trial, shortened
from trial.conftest import CPU, fitted


def state(outcome: Outcome) -> list[Tensor]:
    return [*outcome.model.state_dict().values(), outcome.probability, outcome.result.q]


def same(first: Outcome, second: Outcome) -> bool:
    return all(torch.equal(a, b) for a, b in zip(state(first), state(second), strict=True))


def test_all_candidates_are_tried_on_every_hidden_label(outcome: Outcome, problem: PartlyLabeled) -> None:
    hidden = outcome.findings.hidden
    assert hidden is not None
    assert list(hidden.log_p) == list(CANDIDATES)
    assert sorted(hidden.rows.tolist()) == problem.given.tolist()
    assert torch.equal(hidden.given, problem.labels[hidden.rows])
    for own in hidden.log_p.values():
        torch.testing.assert_close(torch.cat(list(own)).exp().sum(dim=1), torch.ones(12))


def test_members_without_weight_are_not_shipped(outcome: Outcome) -> None:
    weights = dict(zip(CANDIDATES, outcome.findings.likelihood.weights.tolist(), strict=True))
    assert set(outcome.model.weight_of) == {name for name, w in weights.items() if w >= NEAR_ZERO}
    assert sum(outcome.model.weight_of.values()) == pytest.approx(1)


def test_what_is_said_of_unlabeled_rows_is_what_the_model_predicts(
    outcome: Outcome, problem: PartlyLabeled
) -> None:
    unlabeled = (problem.labels < 0).nonzero()[:, 0]
    predicted = predict_logits(outcome.model, problem.x, unlabeled).double().softmax(dim=1)
    torch.testing.assert_close(outcome.probability[unlabeled], predicted)
    torch.testing.assert_close(outcome.probability.sum(dim=1), torch.ones(90).double())


def test_refined_labels_are_those_of_ccp_on_all_labels(problem: PartlyLabeled) -> None:
    trusted = fitted(problem, trust_labels=True)
    assert trusted.source == "ccp"
    assert torch.equal(trusted.result.q, train(problem, shortened(tiny(), 0.5), compute=CPU).q)
    assert trusted.settings.pretrain == tiny().pretrain


@pytest.mark.parametrize(("trust", "source"), [(True, "ccp"), (False, "ccp-refined")])
def test_a_decision_on_trust_leaves_one_variant_of_ccp(
    problem: PartlyLabeled, trust: bool, source: str
) -> None:
    found = fitted(problem, trust_labels=trust)
    assert found.source == source
    assert found.findings.hidden is not None
    assert {"ccp", "ccp-refined"} & set(found.findings.hidden.log_p) == {source}


def test_the_same_seed_gives_the_same_and_the_callers_random_state_is_left_alone(
    outcome: Outcome, problem: PartlyLabeled
) -> None:
    before = torch.get_rng_state()
    assert same(outcome, fitted(problem))
    assert torch.equal(before, torch.get_rng_state())


def test_processes_give_the_same_certificate(problem: PartlyLabeled, outcome: Outcome) -> None:
    found = fitted(problem, jobs=2)
    assert found.certificate is not None
    assert outcome.certificate is not None
    assert found.certificate.hidden == outcome.certificate.hidden
    torch.testing.assert_close(found.probability, outcome.probability, atol=1e-3, rtol=0)


def test_with_one_label_a_class_nothing_can_be_hidden_and_nothing_is_certified() -> None:
    found = fitted(blobs(labels_per_class=1))
    assert (found.certificate, found.label_noise, found.findings.hidden) == (None, None, None)
    assert found.share_right(torch.ones(90, dtype=torch.bool), 0.9) is None
    assert len(found.model.weight_of) == len(CANDIDATES)


def mislabeled() -> PartlyLabeled:
    """Clusters far apart, eight labels each, one of them wrong."""
    data = blobs(n=120, labels_per_class=8)
    labels = data.labels.clone()
    labels[0] = (labels[0] + 1) % 3
    return dataclasses.replace(data, labels=labels)


@pytest.mark.parametrize(("trust", "kept"), [("auto", False), (True, True)])
def test_a_label_that_is_an_issue_loses_its_clamp_unless_labels_are_to_be_trusted(
    trust: Any, kept: bool
) -> None:
    data = mislabeled()
    trial = begin_trial(data, able(), TrialOptions(folds=2, trust_labels=trust), seed=0, compute=CPU)
    found = judge(trial)
    issues = torch.zeros(120, dtype=torch.bool).index_fill(0, torch.tensor([0]), True)
    weights = torch.zeros(len(trial.candidates)).double()
    weights[trial.candidates.index("ccp")] = 1
    sure = dataclasses.replace(found.likelihood, weights=weights)
    outcome = ship(trial, dataclasses.replace(found, issues=issues, likelihood=sure))
    assert (int(outcome.result.q[0].argmax()) == int(data.labels[0])) == kept


def test_a_gold_label_is_no_issue_and_stays_where_labels_are_refined() -> None:
    data = mislabeled()
    gold = dataclasses.replace(data, gold=torch.arange(120) == 0)
    plain, kept = (fitted(own, trust_labels=False) for own in (data, gold))
    assert not kept.findings.issues[0]
    assert kept.result.q[0].tolist() == torch.nn.functional.one_hot(data.labels[0], 3).tolist()
    assert plain.result.q[0].tolist() != kept.result.q[0].tolist()


def test_a_blend_that_is_shown_to_be_worse_is_not_shipped(problem: PartlyLabeled) -> None:
    trial = begin_trial(problem, tiny(), TrialOptions(folds=2), seed=0, compute=CPU)
    found = judge(trial)
    assert found.certificate is not None
    worse = dataclasses.replace(found.certificate, shipped="linear")
    outcome = ship(trial, dataclasses.replace(found, certificate=worse))
    assert outcome.model.weight_of == {"linear": 1.0}
    assert outcome.model.name_of_placing == "linear"


def test_progress_never_goes_back_and_names_candidate_and_fold(problem: PartlyLabeled) -> None:
    seen: list[Progress] = []
    fit_with_trial(problem, tiny(), TrialOptions(folds=2), compute=CPU, on_progress=seen.append)
    done = [progress.done for progress in seen]
    assert done == sorted(done)
    assert done[-1] <= seen[-1].planned
    assert len({progress.planned for progress in seen}) == 1
    assert {"trial, fold 2/2, ccp-refined", "all labels, ccp"} <= {progress.part for progress in seen}


@pytest.mark.parametrize("stop", [2, 9, 16, 40])
def test_an_interrupted_trial_goes_on_and_ends_the_same(
    problem: PartlyLabeled, outcome: Outcome, tmp_path: Path, stop: int
) -> None:
    seen = 0

    def interrupt(_: Progress) -> None:
        nonlocal seen
        seen += 1
        if seen == stop:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"compute": CPU, "checkpoint": tmp_path / "run"}
    with pytest.raises(KeyboardInterrupt):
        fit_with_trial(problem, tiny(), TrialOptions(folds=2), on_progress=interrupt, **options)
    assert same(outcome, fit_with_trial(problem, tiny(), TrialOptions(folds=2), **options))


def test_what_is_done_is_not_done_again(problem: PartlyLabeled, tmp_path: Path) -> None:
    options: dict[str, Any] = {"compute": CPU, "checkpoint": tmp_path / "run"}
    fit_with_trial(problem, tiny(), TrialOptions(folds=2), **options)
    seen: list[Progress] = []
    fit_with_trial(problem, tiny(), TrialOptions(folds=2), on_progress=seen.append, **options)
    assert not [progress for progress in seen if progress.part.startswith("trial")]


def test_a_trial_of_other_data_or_options_is_not_continued(problem: PartlyLabeled, tmp_path: Path) -> None:
    run = tmp_path / "run"
    fit_with_trial(problem, tiny(), TrialOptions(folds=2), compute=CPU, checkpoint=run)
    with pytest.raises(ValueError, match=r"of a run with different folds; delete it to restart"):
        fit_with_trial(problem, tiny(), TrialOptions(folds=3), compute=CPU, checkpoint=run)
    with pytest.raises(ValueError, match=r"of a run with different labels"):
        fit_with_trial(blobs(), tiny(), TrialOptions(folds=2), compute=CPU, checkpoint=run)
