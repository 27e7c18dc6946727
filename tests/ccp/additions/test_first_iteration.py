"""A first iteration without training: when it is used, and what it stores."""

import dataclasses
from functools import partial

import pytest
import torch

import oracles
from ccp.conftest import blobs, tiny
from credprop.ccp import PAPER, Additions, train
from credprop.ccp.additions.first_iteration import (
    ROUNDS,
    choose_rounds,
    demanded_errors,
    folds,
    settle,
    settle_credibility,
)
from credprop.ccp.setup import new_state
from credprop.ccp.state import State
from credprop.data import PartlyLabeled
from credprop.functional.additions import half_whitening
from credprop.training import Compute, isolated_random_state
from credprop.training.inference import embed

CPU = Compute(torch.device("cpu"))
SETTLED = Additions(epoch=(settle,))


def begun(data: PartlyLabeled) -> State:
    """A run whose encoder is as random as it was made."""
    with isolated_random_state(0):
        return new_state(data, tiny(), 0, CPU)


def similarity(state: State, speakers: torch.Tensor) -> oracles.Matrix:
    """Similarity of all rows, in components of the subset that propagates."""
    b = embed(state.model, state.data.x)
    mean, directions = half_whitening(b[speakers])
    return oracles.angular_similarity(((b - mean) @ directions).double().tolist())


def first_iteration(history: list[dict[str, object]]) -> list[dict[str, object]]:
    return [row for row in history if row["iteration"] == 1]


def mislabeled(wrong: int) -> PartlyLabeled:
    """Ten labels a class, of which so many name the next class."""
    data = blobs(n=300, labels_per_class=10)
    shift = torch.arange(len(data)) < 3 * wrong
    moved = torch.where(shift & (data.labels >= 0), (data.labels + 1) % 3, data.labels)
    return dataclasses.replace(data, labels=moved)


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

    assert choose_rounds(rights(10, 12, 15, 15, 3), 1.0) == 4
    assert choose_rounds(rights(10, 12, 15, 15, 3), 2.0) == 4
    assert choose_rounds(rights(10, 12, 14, 14, 3), 2.0) == 1
    assert choose_rounds(rights(10, 11, 10, 10, 10), 1.0) == 1
    assert choose_rounds(rights(10, 10, 10, 10, 10), 1.0) == 1
    assert choose_rounds(rights(10, 3, 3, 3, 12), 1.0) == 16
    assert choose_rounds([], 1.0) > 1


def test_what_is_stored_equals_the_loops_on_half_whitened_encodings() -> None:
    data = blobs(n=30, labels_per_class=1)
    state = begun(data)
    free = (data.labels < 0).nonzero()[:, 0].tolist()
    q = state.tables.q.tolist()
    heard, _ = oracles.settle(similarity(state, torch.arange(30)), q, free, 4, 0.01)[-1]
    assert settle_credibility(state) == 4
    torch.testing.assert_close(state.tables.total, torch.tensor(heard), atol=1e-4, rtol=0)
    assert state.tables.count.tolist() == [1] * 30
    assert state.tables.judgments.tolist() == [1] * 3 + [0] * 27
    assert state.d_max == 0.01 / 8


def test_rows_outside_the_subset_get_what_propagates_from_it() -> None:
    data = blobs(n=60, labels_per_class=1)
    state = begun(data)
    assert settle_credibility(state, 18) == 4
    speakers = torch.cat([torch.arange(3), 3 + torch.arange(15) * 57 // 15])
    phi, q = similarity(state, speakers), begun(data).tables.q.tolist()
    among = [[phi[i][j] for j in speakers] for i in speakers]
    _, spoken = oracles.settle(among, [q[i] for i in speakers], list(range(3, 18)), 4, 0.01)[-1]
    silent = [[0.0] * 3 for _ in q]
    for i, row in zip(speakers.tolist(), spoken, strict=True):
        silent[i] = row
    heard = oracles.propagate(phi, silent, left_out=lambda j, i: i == j)
    torch.testing.assert_close(state.tables.total, torch.tensor(heard), atol=1e-4, rtol=0)
    assert state.tables.count.tolist() == [1] * 60


def test_a_settled_iteration_trains_nothing_and_the_history_says_so() -> None:
    data = blobs(labels_per_class=1)
    settled = train(data, tiny(additions=SETTLED), compute=CPU, watch=[20, 30])
    (row,) = first_iteration(settled.history)
    assert row["rounds"] == 4
    assert "loss" not in row
    assert row["p"] is not None
    assert len(row["watched"]) == 2  # type: ignore[arg-type]
    learned = train(data, tiny(), compute=CPU)
    assert settled.steps == learned.steps - 3 * 3  # epochs times batches of the first iteration
    assert (settled.labeled_iter[data.labels < 0] == 1).all()


def test_where_one_round_is_enough_the_first_iteration_learns_as_usual() -> None:
    asked, plain = (train(mislabeled(wrong=0), tiny(additions=s), compute=CPU) for s in (SETTLED, PAPER))
    assert asked.history == plain.history
    assert torch.equal(asked.q, plain.q)


def test_where_labels_are_wrong_rounds_find_more_of_those_that_are_hidden() -> None:
    data = mislabeled(wrong=4)
    assert data.truth is not None
    found = {s: train(data, tiny(additions=s, trust_labels=False), compute=CPU) for s in (SETTLED, PAPER)}
    assert first_iteration(found[SETTLED].history)[0]["rounds"] in ROUNDS[1:]
    settled, learned = ((r.q.argmax(dim=1) == data.truth).float().mean() for r in found.values())
    assert settled > learned
    opinion, given = found[SETTLED].opinion[data.given].argmax(dim=1), data.given
    assert (opinion == data.truth[given]).sum() > (data.labels[given] == data.truth[given]).sum() == 18


def test_guesses_and_more_labels_than_may_speak_are_learned_from() -> None:
    data = blobs(labels_per_class=1)
    assert data.truth is not None
    guessed = dataclasses.replace(data, guesses=torch.nn.functional.one_hot(data.truth, 3).float())
    assert not any("rounds" in row for row in train(guessed, tiny(additions=SETTLED), compute=CPU).history)
    for speakers, settles in ((6, True), (5, False)):  # three labels are half of six
        few = Additions(epoch=(partial(settle, speakers=speakers),))
        history = train(data, tiny(additions=few), compute=CPU).history
        assert any("rounds" in row for row in history) is settles


@pytest.mark.parametrize(
    ("labels", "trusted", "errors"), [(10, True, 2.0), (9, True, 1.0), (10, False, 1.0), (1, True, 1.0)]
)
def test_trusted_labels_of_which_every_class_has_many_are_harder_to_beat(
    labels: int, trusted: bool, errors: float
) -> None:
    state = begun(blobs(labels_per_class=labels))
    state.settings = tiny(trust_labels=trusted)
    assert demanded_errors(state) == errors
