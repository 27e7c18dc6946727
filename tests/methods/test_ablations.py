"""Each ablation changes the one thing that it is named for."""

import dataclasses
from typing import Any

import pytest

from credprop.ccp import PAPER, Additions
from credprop.ccp.additions.first_iteration import settle, slow_where_uneven
from credprop.ccp.additions.targets import balance_classes, balance_labels, square_strength
from credprop.methods import ABLATIONS, METHODS, Learned, choose_method
from credprop.report.of_bench.ablation_answers import QUESTIONS
from methods.conftest import CPU, small, with_outliers


def run(name: str, **changes: Any) -> Learned:
    return choose_method(name)(with_outliers(), small(20, **changes), 0, compute=CPU)


def ends(learned: Learned) -> list[dict[str, Any]]:
    return [row for row in learned.history if "p" in row]


def losses(learned: Learned, stage: str) -> list[float]:
    return [row["loss"] for row in learned.history if row["stage"] == stage]


@pytest.fixture(scope="module")
def ccp() -> Learned:
    return run("ccp-alone")


def test_no_ablation_has_the_name_of_a_method() -> None:
    assert not ABLATIONS.keys() & METHODS.keys()
    assert len(METHODS) == 20


def test_every_ablation_has_its_question_on_the_page() -> None:
    assert ABLATIONS.keys() <= QUESTIONS.keys()


def test_without_subsampling_nothing_is_ever_reset() -> None:
    found = ends(run("ccp-no-subsampling"))
    assert [(end["p"], end["d_max"]) for end in found] == [(0, 0), (0, 0)]


@pytest.mark.parametrize(
    ("name", "bounds"),
    [
        ("ccp-dmax-0.001", [0.001, 0.0005]),
        ("ccp-dmax-0.1", [0.1, 0.05]),
        ("ccp-dmax-0.1-constant", [0.1, 0.1]),
    ],
)
def test_the_bound_starts_where_it_should_and_follows_its_schedule(name: str, bounds: list[float]) -> None:
    assert [end["d_max"] for end in ends(run(name))] == bounds


def test_the_classifier_can_learn_from_one_loss_alone(ccp: Learned) -> None:
    found = run("ccp-classification-loss-only")
    built = [row for row in found.history if row["stage"] == "build"]
    assert all("contrastive" not in row and "classification" in row for row in built)
    assert losses(found, "refine") == losses(ccp, "refine")


def test_without_a_reset_the_next_iteration_continues_from_the_last(ccp: Learned) -> None:
    found = run("ccp-no-reset")
    assert losses(found, "refine")[:2] == losses(ccp, "refine")[:2]
    assert losses(found, "refine")[2:] != losses(ccp, "refine")[2:]


def test_the_final_vectors_can_be_subsampled() -> None:
    # A bound this large leaves few of the vectors, so that the classifier must learn something else.
    with_all, with_few = run("ccp-alone", d_max=5.0), run("ccp-subsample-final", d_max=5.0)
    assert losses(with_few, "refine") == losses(with_all, "refine")
    assert losses(with_few, "build") != losses(with_all, "build")


def test_without_pretraining_the_first_stage_is_an_iteration() -> None:
    assert run("ccp-no-pretraining").history[0]["stage"] == "refine"


@pytest.mark.parametrize(
    ("name", "additions"),
    [
        ("ccp-no-squaring", Additions(targets=(square_strength,))),
        ("ccp-no-balancing", Additions(targets=(balance_labels, balance_classes))),
    ],
)
def test_changed_targets_change_only_the_classifier(ccp: Learned, name: str, additions: Additions) -> None:
    changed, plain = run("ccp-alone", additions=additions), run(name, additions=additions)
    assert losses(plain, "refine") == losses(changed, "refine")
    assert losses(plain, "build") == losses(ccp, "build") != losses(changed, "build")


def test_without_slowing_the_first_iteration_has_the_full_rate_whatever_the_labels() -> None:
    data = with_outliers()
    labels = data.labels.clone()
    labels[(labels == 0).nonzero()[1:]] = -1  # one label is left of the first class
    uneven, settings = (
        dataclasses.replace(data, labels=labels),
        small(20, additions=Additions(rate=(slow_where_uneven,))),
    )
    for name, share in (("ccp-alone", max(1 / 3, uneven.evenness)), ("ccp-no-slowing", 1)):
        history = choose_method(name)(uneven, settings, 0, compute=CPU).history
        first = next(row["lr"] for row in history if row["stage"] == "refine")
        assert first == pytest.approx(share * settings.first.lr)
    assert uneven.evenness < 1


def test_without_settling_the_first_iteration_learns_even_from_one_label_per_class() -> None:
    data = with_outliers()
    labels = data.labels.clone()
    for c in range(data.k):
        labels[(labels == c).nonzero()[1:]] = -1
    single, settling = dataclasses.replace(data, labels=labels), Additions(epoch=(settle,))
    settled, learned, plain = (
        choose_method(name)(single, small(20, additions=additions), 0, compute=CPU).history
        for name, additions in (("ccp-alone", settling), ("ccp-no-settling", settling), ("ccp-alone", PAPER))
    )
    assert any("rounds" in row for row in settled)
    assert [row.get("loss") for row in learned] == [row.get("loss") for row in plain]
    assert not any("rounds" in row for row in learned)


def test_only_ccp_itself_is_tracked_and_sixty_four_rows_at_most(ccp: Learned) -> None:
    data = with_outliers()
    assert ccp.watched == tuple(i for i in range(len(data)) if data.labels[i] < 0)
    epochs = [row["watched"] for row in ccp.history if row["stage"] == "refine"]
    assert all(len(vectors) == len(ccp.watched) for vectors in epochs)
    assert run("ccp-no-reset").watched == run("seal").watched == ()
