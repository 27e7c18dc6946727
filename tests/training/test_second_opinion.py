"""A second opinion for the classifier: when it is asked for, what it says, what it changes."""

import dataclasses
from pathlib import Path

import pytest
import torch
from torch import nn

import oracles
from credprop.ccp import train
from credprop.ccp.additions import targets as second_opinion
from credprop.ccp.additions.targets import (
    asks_labels_alone,
    hear_out,
    opinion_of_labels,
    right_by_propagation,
)
from credprop.ccp.algorithm import batch_losses
from credprop.ccp.setup import new_run, standardized
from credprop.ccp.state import Run, plan
from credprop.data import PartlyLabeled, Tokens
from credprop.functional import (
    adjust,
    agreement,
    angular_similarity,
    half_whitening,
    heed,
    ridge_inverse,
)
from credprop.functional.additions.label_regression import RIDGES
from credprop.training import Compute
from credprop.training.inference import embed
from credprop.training.subsets import witnesses
from training.conftest import able, blobs, tiny, weights
from training.test_checkpoint import interrupted
from training.test_engine import same

CPU = Compute(torch.device("cpu"))
ASKED = {"second_opinion": True}


def run_of(data: PartlyLabeled, **changes: object) -> Run:
    return new_run(data, tiny(**(ASKED | changes)), 0, CPU)


def many(n: int = 90) -> PartlyLabeled:
    return blobs(n=n, labels_per_class=10)


def torn(n: int = 240, seed: int = 0) -> PartlyLabeled:
    """Two clusters that say nothing of the class, which one faint feature tells; ten labels a class."""
    generator = torch.Generator().manual_seed(seed)
    truth = torch.arange(n) % 2
    cluster = torch.randint(2, (n,), generator=generator)
    loud = 6 * nn.functional.one_hot(cluster, 2).repeat_interleave(2, dim=1)
    x = torch.cat([loud, (3.0 * truth)[:, None]], dim=1) + torch.randn(n, 5, generator=generator)
    x = torch.cat([x, torch.zeros(n, 1)], dim=1)
    return PartlyLabeled(x=x, labels=torch.where(torch.arange(n) < 20, truth, -1), k=2, truth=truth)


def test_trusted_labels_are_asked_where_every_class_has_ten() -> None:
    assert asks_labels_alone(run_of(many()))
    assert not asks_labels_alone(run_of(blobs(labels_per_class=9)))
    assert not asks_labels_alone(run_of(dataclasses.replace(many(), k=4)))


@pytest.mark.parametrize(
    "changes",
    [{"second_opinion": False}, {"trust_labels": False}, {"softmax": True}],
    ids=["not wanted", "not trusted", "no credibility"],
)
def test_nobody_is_asked(changes: dict[str, bool]) -> None:
    assert not asks_labels_alone(run_of(many(), **changes))


def test_nobody_is_asked_where_every_row_has_a_label_or_rows_are_no_vectors() -> None:
    assert not asks_labels_alone(run_of(blobs(n=30, labels_per_class=10)))
    ids = torch.randint(1, 9, (90, 4)).numpy()
    tokens = dataclasses.replace(many(), x=Tokens(ids, vocabulary=9))
    run = dataclasses.replace(run_of(many()), data=tokens)
    assert not asks_labels_alone(run)


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


def test_rows_are_judged_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(many())
    whole, _ = opinion_of_labels(run)
    monkeypatch.setattr(second_opinion, "_CHUNK", 7)
    torch.testing.assert_close(opinion_of_labels(run)[0], whole, atol=2e-3, rtol=0)


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
    run = run_of(blobs(n=60, labels_per_class=10))
    x = standardized(run, torch.arange(60))
    phi = angular_similarity(x[:30]).double()
    y = torch.eye(3).double()[run.data.labels[:30]]
    ridge = next(
        r for r in RIDGES if torch.allclose(ridge_inverse(phi, y), (phi + r * torch.eye(30)).inverse())
    )
    expected = []
    for i in range(30):
        rest = [j for j in range(30) if j != i]
        c = torch.linalg.solve(phi[rest][:, rest] + ridge * torch.eye(29), y[rest])
        expected.append(bool((phi[i, rest] @ c).argmax() == run.data.labels[i]))
    assert opinion_of_labels(run)[1].tolist() == expected


def test_propagation_is_that_of_the_pretrained_encoder_whatever_was_learned_since() -> None:
    run = run_of(many())
    before = right_by_propagation(run)
    b = embed(run.model, run.data.x)
    mean, directions = half_whitening(b)
    phi = oracles.angular_similarity(((b[:30] - mean) @ directions).double().tolist())
    labels = run.data.labels[:30]
    heard = oracles.propagate(phi, torch.eye(3)[labels].tolist(), left_out=lambda j, i: i == j)
    assert before.tolist() == (torch.tensor(heard).argmax(dim=1) == labels).tolist()
    with torch.no_grad():
        for weight in run.model.parameters():
            weight.normal_()
    assert right_by_propagation(run).equal(before)


def test_an_opinion_that_is_clearly_worse_on_labels_left_out_is_not_heeded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, q = run_of(many()), torch.rand(90, 3)
    assert hear_out(run, q)[1] is not None
    wrong = opinion_of_labels(run)[0], torch.arange(30) > 8  # nine labels that propagation knows
    monkeypatch.setattr(second_opinion, "opinion_of_labels", lambda run: wrong)
    assert right_by_propagation(run)[:9].sum() >= 8
    same_q, agreed = hear_out(run, q)
    assert agreed is None
    assert same_q.equal(q)


def test_clamped_labels_stay_and_all_others_are_heard_out() -> None:
    run = run_of(many())
    q = torch.rand(90, 3, generator=torch.Generator().manual_seed(0))
    made, agreed = hear_out(run, q)
    assert made[:30].equal(q[:30])
    assert agreed is not None
    other = opinion_of_labels(run)[0][30:]
    torch.testing.assert_close(made[30:], heed(q[30:], other, agreed))
    assert agreed == agreement(q[30:], other)
    assert 0 <= agreed < 0.5  # random vectors against labels


def test_the_classifier_is_taught_what_was_heard_out() -> None:
    data = many()
    run = run_of(data)
    run.model.eval()
    run.tables.full = nn.functional.one_hot(torch.arange(90) * 7 % 11 % 3, 3).float()
    x, index = torch.as_tensor(data.x).repeat(2, 1), torch.arange(90)
    found = batch_losses(run, plan(run.settings)[-1], index, x)["classification"]
    q, _ = hear_out(run, run.tables.full)
    with torch.no_grad():
        expected = -(q.repeat(2, 1) * run.model(x).log_softmax(dim=1)).sum(dim=1).mean()
    torch.testing.assert_close(found.detach(), expected)


def test_a_run_tells_how_far_its_labels_agree_with_what_they_say_alone() -> None:
    result = train(many(), able(**ASKED), compute=CPU)
    told = [row["agreement"] for row in result.history if "agreement" in row]
    assert told == [result.history[-1]["agreement"]]
    assert told[0] > 0.9  # clear clusters
    assert all("agreement" not in row for row in train(blobs(), able(**ASKED), compute=CPU).history)


def test_it_helps_where_rows_group_by_something_else_than_their_classes() -> None:
    heard: list[float] = []
    unheard: list[float] = []
    for seed in range(4):
        data = torn(seed=seed)
        for asked, found in ((True, heard), (False, unheard)):
            model = train(data, able(second_opinion=asked), seed=seed, compute=CPU).model
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
