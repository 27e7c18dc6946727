"""A regression on the labels for the classifier: when it is used, what it predicts, what it changes."""

import dataclasses
from pathlib import Path

import pytest
import torch
from torch import nn

import oracles
from ccp.conftest import able, blobs, tiny, weights
from ccp.test_checkpoint import interrupted
from ccp.test_train import same
from credprop.ccp import PAPER, Additions, train
from credprop.ccp.additions.targets import (
    mix_unless_worse,
    opinion_of_labels,
    regress_on_labels,
    right_by_propagation,
)
from credprop.ccp.algorithm import targets_of
from credprop.ccp.setup import new_state, standardized
from credprop.ccp.state import State, Targets
from credprop.data import PartlyLabeled, Tokens
from credprop.functional import adjust, angular_similarity
from credprop.functional.additions import agreement, half_whitening, mix, ridge_inverse
from credprop.functional.additions.label_regression import RIDGES
from credprop.training import Compute
from credprop.training.inference import embed
from credprop.training.subsets import witnesses

CPU = Compute(torch.device("cpu"))
ASKED = {"additions": Additions(targets=(regress_on_labels,))}


def targets(q: torch.Tensor) -> Targets:
    return Targets(q, weight=torch.ones(len(q)), shift=torch.zeros(q.shape[1]))


def asked(state: State) -> bool:
    """Whether the regression was used: its agreement is in the history."""
    return "agreement" in targets_of(state).record


def run_of(data: PartlyLabeled, **changes: object) -> State:
    return new_state(data, tiny(**(ASKED | changes)), 0, CPU)


def many(n: int = 90) -> PartlyLabeled:
    return blobs(n=n, labels_per_class=10)


def torn(n: int = 240, seed: int = 0) -> PartlyLabeled:
    """Two clusters independent of the class, which one weak feature predicts; ten labels per class."""
    generator = torch.Generator().manual_seed(seed)
    truth = torch.arange(n) % 2
    cluster = torch.randint(2, (n,), generator=generator)
    loud = 6 * nn.functional.one_hot(cluster, 2).repeat_interleave(2, dim=1)
    x = torch.cat([loud, (3.0 * truth)[:, None]], dim=1) + torch.randn(n, 5, generator=generator)
    x = torch.cat([x, torch.zeros(n, 1)], dim=1)
    return PartlyLabeled(x=x, labels=torch.where(torch.arange(n) < 20, truth, -1), k=2, truth=truth)


def test_the_regression_is_used_where_labels_are_trusted_and_every_class_has_ten() -> None:
    assert asked(run_of(many()))
    assert not asked(run_of(blobs(labels_per_class=9)))
    assert not asked(run_of(dataclasses.replace(many(), k=4)))


@pytest.mark.parametrize(
    "changes",
    [{"additions": PAPER}, {"trust_labels": False}],
    ids=["not wanted", "not trusted"],
)
def test_the_regression_is_not_used(changes: dict[str, object]) -> None:
    assert not asked(run_of(many(), **changes))


def test_the_regression_is_not_used_where_every_row_has_a_label_or_rows_are_no_vectors() -> None:
    assert not asked(run_of(blobs(n=30, labels_per_class=10)))
    ids = torch.randint(1, 9, (90, 4)).numpy()
    tokens = dataclasses.replace(many(), x=Tokens(ids, vocabulary=9))
    state = dataclasses.replace(run_of(many()), data=tokens)
    assert not asked(state)


def test_the_opinion_is_the_regression_on_standardized_rows() -> None:
    data = many()
    x = torch.as_tensor(data.x)
    standardized = (x - x.mean(dim=0)) / x.std(dim=0, correction=0)
    phi = torch.tensor(oracles.angular_similarity(standardized.tolist()))
    y = torch.eye(3).double()[data.labels[:30]]
    scores = phi[:, :30].double() @ ridge_inverse(phi[:30, :30].double(), y) @ y
    expected = adjust(scores).clamp(0, 1).float()
    torch.testing.assert_close(
        opinion_of_labels(run_of(data))[0], expected, atol=2e-3, rtol=0
    )  # phi near 1 rounds by 3e-4


def test_rows_are_judged_in_chunks() -> None:
    state = run_of(many())
    whole, _ = opinion_of_labels(state)
    torch.testing.assert_close(opinion_of_labels(state, chunk=7)[0], whole, atol=2e-3, rtol=0)


def test_of_too_many_labels_each_class_keeps_its_share_and_ten_at_least() -> None:
    labels = torch.cat(
        [torch.arange(4000) % 2, torch.full((30,), 2), torch.full((4,), 3), torch.tensor([-1])]
    )
    chosen = witnesses(labels, about=400)
    assert torch.bincount(labels[chosen]).tolist() == [198, 198, 10, 4]
    assert len(chosen.unique()) == len(chosen)
    assert witnesses(labels).tolist() != list(range(4034))
    assert witnesses(labels, about=4034).tolist() == list(range(4034))


def test_labels_left_out_are_named_by_regressions_without_them() -> None:
    state = run_of(blobs(n=60, labels_per_class=10))
    x = standardized(state, torch.arange(60))
    phi = angular_similarity(x[:30]).double()
    y = torch.eye(3).double()[state.data.labels[:30]]
    ridge = next(
        r for r in RIDGES if torch.allclose(ridge_inverse(phi, y), (phi + r * torch.eye(30)).inverse())
    )
    expected = []
    for i in range(30):
        rest = [j for j in range(30) if j != i]
        c = torch.linalg.solve(phi[rest][:, rest] + ridge * torch.eye(29), y[rest])
        expected.append(bool((phi[i, rest] @ c).argmax() == state.data.labels[i]))
    assert opinion_of_labels(state)[1].tolist() == expected


def test_propagation_is_that_of_the_pretrained_encoder_whatever_was_learned_since() -> None:
    state = run_of(many())
    before = right_by_propagation(state)
    b = embed(state.model, state.data.x)
    mean, directions = half_whitening(b)
    phi = oracles.angular_similarity(((b[:30] - mean) @ directions).double().tolist())
    labels = state.data.labels[:30]
    heard = oracles.propagate(phi, torch.eye(3)[labels].tolist(), left_out=lambda j, i: i == j)
    assert before.tolist() == (torch.tensor(heard).argmax(dim=1) == labels).tolist()
    with torch.no_grad():
        for weight in state.model.parameters():
            weight.normal_()
    assert right_by_propagation(state).equal(before)


def test_an_opinion_that_is_clearly_worse_on_labels_left_out_is_not_mixed_in() -> None:
    state, before = run_of(many()), targets(torch.rand(90, 3))
    opinion, right = opinion_of_labels(state)
    assert mix_unless_worse(state, before, opinion, right) is not before
    assert right_by_propagation(state)[:9].sum() >= 8
    wrong = torch.arange(30) > 8  # nine labels that propagation knows
    assert mix_unless_worse(state, before, opinion, wrong) is before


def test_clamped_labels_stay_and_all_others_are_mixed() -> None:
    state = run_of(many())
    q = torch.rand(90, 3, generator=torch.Generator().manual_seed(0))
    made = regress_on_labels(state, targets(q))
    assert made.q[:30].equal(q[:30])
    agreed = made.record["agreement"]
    other = opinion_of_labels(state)[0][30:]
    torch.testing.assert_close(made.q[30:], mix(q[30:], other, agreed))
    assert agreed == agreement(q[30:], other)
    assert 0 <= agreed < 0.5  # random vectors against labels


def test_the_classifier_learns_what_was_mixed() -> None:
    state = run_of(many())
    state.tables.full = nn.functional.one_hot(torch.arange(90) * 7 % 11 % 3, 3).float()
    assert targets_of(state).q.equal(regress_on_labels(state, targets(state.tables.full)).q)
    assert not targets_of(state).q.equal(state.tables.full)


def test_the_history_has_the_agreement_of_refined_labels_with_the_regression() -> None:
    result = train(many(), able(**ASKED), compute=CPU)
    told = [row["agreement"] for row in result.history if "agreement" in row]
    assert told == [result.history[-1]["agreement"]]
    assert told[0] > 0.9  # clear clusters
    assert all("agreement" not in row for row in train(blobs(), able(**ASKED), compute=CPU).history)


def test_it_helps_where_rows_cluster_by_something_other_than_their_classes() -> None:
    heard: list[float] = []
    unheard: list[float] = []
    for seed in range(4):
        data = torn(seed=seed)
        for changes, found in ((ASKED, heard), ({"additions": PAPER}, unheard)):
            model = train(data, able(**changes), seed=seed, compute=CPU).model
            with torch.no_grad():
                logits = model(model.standardize(torch.as_tensor(data.x).clone()))
            found.append((logits.argmax(dim=1) == data.truth).double().mean().item())
    assert sum(heard) > sum(unheard) + 0.2
    assert sum(heard) / 4 > 0.75


def test_interrupting_changes_nothing(tmp_path: Path) -> None:
    settings = tiny(**ASKED)
    whole = train(many(), settings, compute=CPU)
    resumed = interrupted(many(), settings, tmp_path / "c", times=12)
    assert same(weights(whole.model), weights(resumed.model))
    assert whole.history == resumed.history
