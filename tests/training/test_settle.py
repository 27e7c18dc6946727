"""A first iteration without learning: when the labels ask for it, and what it leaves behind."""

import dataclasses

import pytest
import torch

import oracles
from credprop.data import PartlyLabeled
from credprop.functional import half_whiten
from credprop.training import Compute, settle, train
from credprop.training.engine import isolated_random_state, new_run
from credprop.training.predict import embed
from credprop.training.settle import ROUNDS, choose_rounds, folds, settle_run
from training.conftest import blobs, tiny

CPU = Compute(torch.device("cpu"))


def chosen(monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    """The labels ask for this many rounds."""
    monkeypatch.setattr(settle, "choose_rounds", lambda right: rounds)


def firsts(history: list[dict[str, object]]) -> list[dict[str, object]]:
    return [row for row in history if row["iteration"] == 1]


def test_every_label_is_hidden_once_but_the_only_one_of_a_class() -> None:
    labels = torch.tensor([0, -1, 1, 1, 2, 2, 2, -1, 2])
    hidden = folds(labels)
    assert sorted(torch.cat(hidden).tolist()) == [2, 3, 4, 5, 6, 8]
    assert all(len(set(labels[fold].tolist())) == len(fold) for fold in hidden)


def test_of_many_labels_a_tenth_of_each_class_is_hidden_at_once() -> None:
    labels = torch.arange(300) % 3
    assert [torch.bincount(labels[fold]).tolist() for fold in folds(labels)] == [[10, 10, 10]] * 10


def test_the_fewest_of_the_best_rounds_are_taken_and_one_unless_more_are_clearly_better() -> None:
    def rights(*counts: int) -> list[torch.Tensor]:
        return [torch.arange(20) < torch.tensor(counts)[:, None]]

    assert choose_rounds(rights(10, 12, 15, 15, 3)) == 4
    assert choose_rounds(rights(10, 11, 10, 10, 10)) == 1
    assert choose_rounds(rights(10, 10, 10, 10, 10)) == 1
    assert choose_rounds(rights(10, 3, 3, 3, 12)) == 16
    assert choose_rounds([]) > 1


def test_what_is_stored_is_what_the_loops_hear_on_half_whitened_encodings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen(monkeypatch, 4)
    data = blobs(n=30)
    with isolated_random_state(0):
        run = new_run(data, tiny(), 0, CPU)
    phi = oracles.angular_similarity(half_whiten(embed(run.model, data.x)).double().tolist())
    free = (data.labels < 0).nonzero()[:, 0].tolist()
    heard, q = oracles.settle(phi, run.tables.q.tolist(), free, 4, 0.01)[-1]
    assert settle_run(run) == 4
    torch.testing.assert_close(run.tables.total, torch.tensor(heard), atol=1e-4, rtol=0)
    torch.testing.assert_close(run.tables.q, torch.tensor(q), atol=1e-3, rtol=0)
    assert run.tables.count.tolist() == [1] * 30
    assert run.d_max == 0.01 / 8


def test_rows_that_only_listen_hear_what_the_speakers_say(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen(monkeypatch, 2)
    monkeypatch.setattr(settle, "_REFERENCES", 18)
    data = blobs(n=60)
    with isolated_random_state(0):
        run = new_run(data, tiny(), 0, CPU)
    settle_run(run)
    phi = oracles.angular_similarity(half_whiten(embed(run.model, data.x)).double().tolist())
    heard = oracles.propagate(phi, run.tables.q.tolist(), left_out=lambda j, i: i == j)
    spoke = run.tables.q.amax(dim=1) > 0
    assert spoke[:9].all()
    assert int(spoke.sum()) <= 18 < len(data)
    torch.testing.assert_close(run.tables.total, torch.tensor(heard), atol=1e-4, rtol=0)


def test_a_settled_iteration_learns_nothing_and_says_so(
    data: PartlyLabeled, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(monkeypatch, 8)
    watched = [20, 30]
    result = train(data, tiny(settle=True), compute=CPU, watch=watched)
    (row,) = firsts(result.history)
    assert row["rounds"] == 8
    assert "loss" not in row
    assert row["p"] is not None
    assert len(row["watched"]) == 2  # type: ignore[arg-type]
    plain = train(data, tiny(), compute=CPU)
    assert result.steps == plain.steps - 3 * 3  # epochs times batches of the first iteration
    assert (result.labeled_iter[data.labels < 0] == 1).all()
    assert (result.opinion[data.given].argmax(dim=1) == data.labels[data.given]).all()


def test_where_one_round_is_enough_the_first_iteration_learns_as_ever(
    data: PartlyLabeled, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen(monkeypatch, 1)
    asked, plain = (train(data, tiny(settle=s), compute=CPU) for s in (True, False))
    assert asked.history == plain.history
    assert torch.equal(asked.q, plain.q)


def test_softmax_never_settles(data: PartlyLabeled, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen(monkeypatch, 8)
    asked = train(data, tiny(settle=True, softmax=True), compute=CPU)
    assert all("rounds" not in row for row in asked.history)


def test_labels_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each label is judged while it is hidden, for every number of rounds."""
    asked: list[list[torch.Tensor]] = []

    def note(right: list[torch.Tensor]) -> int:
        asked.append(right)
        return 1

    monkeypatch.setattr(settle, "choose_rounds", note)
    data = blobs(n=90, labels_per_class=4)
    train(data, tiny(settle=True), compute=CPU)
    (right,) = asked
    assert sum(found.shape[1] for found in right) == 12
    assert {found.shape[0] for found in right} == {len(ROUNDS)}
    clear = torch.cat(right, dim=1).float().mean()
    assert clear > 0.8  # clusters as clear as these leave little doubt
    mixed = data.labels.clone()
    mixed[:6] = torch.tensor([1, 2, 0, 2, 0, 1])
    train(dataclasses.replace(data, labels=mixed), tiny(settle=True), compute=CPU)
    assert torch.cat(asked[1], dim=1).float().mean() < clear - 0.2


def test_one_label_a_class_cannot_be_hidden_and_settles() -> None:
    result = train(blobs(labels_per_class=1), tiny(settle=True), compute=CPU)
    assert firsts(result.history)[0]["rounds"] == 4
