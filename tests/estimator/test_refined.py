"""The results for every sample, on numbers that can be checked by hand."""

import numpy as np
import pytest

from credprop import Refined


def worked_example(**changes: object) -> Refined:
    """Four samples: a label that holds, a wrong one, an unlabeled sample, one without any credibility."""
    values = {
        "classes": np.array(["cat", "dog"], dtype=object),
        "given": np.array([0, 0, -1, -1]),
        "q": np.array([[0.9, 0], [0, 0.5], [0, 0.4], [0, 0]], dtype=np.float32),
        "opinion": np.array([[0.2, -0.2], [-0.1, 0.1], [0, 0], [0, 0]], dtype=np.float32),
        "outlier_score": np.array([0.1, 0.1, 0.2, 0.3], dtype=np.float32),
        "labeled_iter": np.array([0, 0, 2, -1]),
    }
    return Refined(**(values | changes))  # type: ignore[arg-type]


def test_credibility_is_the_strength_of_the_refined_label() -> None:
    np.testing.assert_allclose(worked_example().credibility, [0.9, 0.5, 0.4, 0])


def test_where_nothing_is_known_there_is_no_label() -> None:
    assert worked_example().labels.tolist() == ["cat", "dog", "dog", None]
    numbers = worked_example(classes=np.array([3, 7]))
    assert numbers.labels.tolist() == [3, 7, 7, -1]
    assert numbers.labels.dtype.kind == "i"
    assert worked_example(classes=np.array([3, 7]), unlabeled_label=None).labels.tolist() == [3, 7, 7, None]


def test_distributions_spread_what_is_not_credible_evenly() -> None:
    np.testing.assert_allclose(
        worked_example().distributions, [[0.95, 0.05], [0.25, 0.75], [0.3, 0.7], [0.5, 0.5]], atol=1e-6
    )


def test_label_issues_follow_the_opinion_of_the_others() -> None:
    issues = worked_example().find_label_issues()
    assert issues.index.tolist() == [0, 1]
    assert issues["is_label_issue"].tolist() == [False, True]
    np.testing.assert_allclose(issues["label_quality"], [1.0, 0.25])
    assert issues["given_label"].tolist() == ["cat", "cat"]
    assert issues["predicted_label"].tolist() == ["cat", "dog"]


def test_an_opinion_without_strength_is_no_label_issue() -> None:
    silent = worked_example(opinion=np.zeros((4, 2), dtype=np.float32)).find_label_issues()
    assert not silent["is_label_issue"].any()
    assert silent["label_quality"].tolist() == [0.5, 0.5]


def test_the_frame_has_a_verdict_for_every_row() -> None:
    frame = worked_example().to_frame(["a", "b", "c", "d"])
    assert list(frame) == [
        "id",
        "given_label",
        "refined_label",
        "credibility",
        "confidence",
        "verdict",
        "is_label_issue",
        "label_quality",
        "is_outlier_issue",
        "outlier_score",
        "labeled_iter",
    ]
    assert frame["verdict"].tolist() == ["trust", "relabel", "check", "ambiguous"]
    np.testing.assert_allclose(frame["confidence"], [0.95, 0.75, 0.7, 0])
    assert frame["given_label"].fillna("-").tolist() == ["cat", "cat", "-", "-"]
    assert frame["refined_label"].fillna("-").tolist() == ["cat", "dog", "dog", "-"]
    assert frame["label_quality"].isna().tolist() == [False, False, True, True]


def tried(**changes: object) -> Refined:
    """Six samples after a trial: a label that holds, a doubtful one, and four without a label."""
    values = {
        "given": np.array([0, 0, -1, -1, -1, -1]),
        "q": np.array([[0.9, 0], [0.8, 0], [0, 0.4], [0, 0], [0, 0.1], [0.3, 0]], dtype=np.float32),
        "opinion": np.zeros((6, 2), dtype=np.float32),
        "outlier_score": np.full(6, 0.1, dtype=np.float32),
        "labeled_iter": np.array([0, 0, 1, -1, 1, 1]),
        "probability": np.array([[0.97, 0.03], [0.1, 0.9], [0.05, 0.95], [0.7, 0.3], [0.5, 0.5], [0, 1]]),
        "doubtful": np.array([False, True, False, False, False, False]),
        "trust_labels": "auto",
    }
    return worked_example(**(values | changes))


def verdicts(refined: Refined) -> list[str]:
    return refined.to_frame()["verdict"].tolist()


def test_after_a_trial_labels_are_the_most_probable_ones_unless_a_label_stands() -> None:
    assert tried().labels.tolist() == ["cat", "dog", "dog", "cat", "cat", "dog"]
    np.testing.assert_allclose(tried().confidence, [0.97, 0.9, 0.95, 0.7, 0.5, 1])
    np.testing.assert_allclose(tried().credibility, [0.9, 0, 0.4, 0, 0, 0])
    assert (tried().distributions[2] == [0.05, 0.95]).all()


def test_a_doubtful_label_stands_only_where_all_labels_are_trusted() -> None:
    probability = np.array([[0.4, 0.6], [0.1, 0.9], [0, 1], [1, 0], [1, 0], [1, 0]])
    of = {
        trust: tried(probability=probability, trust_labels=trust).labels.tolist()
        for trust in (True, False, "auto")
    }
    assert {trust: labels[:2] for trust, labels in of.items()} == {
        True: ["cat", "cat"],
        False: ["dog", "dog"],
        "auto": ["cat", "dog"],
    }
    assert of[True][2:] == of[False][2:] == of["auto"][2:] == ["dog", "cat", "cat", "cat"]


@pytest.mark.parametrize("trust", ["auto", False])
def test_a_gold_label_stands_whatever_is_said_of_it(trust: object) -> None:
    gold = np.array([False, True, False, False, False, False])
    found = tried(gold=gold, trust_labels=trust, doubtful=np.zeros(6, dtype=bool))
    assert found.labels[1] == "cat"
    assert tried(trust_labels=trust).labels[1] == "dog"


def test_without_a_trial_a_gold_label_is_no_issue_either() -> None:
    opinion = np.zeros((6, 2), dtype=np.float32)
    opinion[:2] = [-0.8, 0.8]
    found = tried(probability=None, doubtful=None, opinion=opinion, gold=np.arange(6) == 1)
    assert found.find_label_issues()["is_label_issue"].tolist() == [True, False]


def test_the_verdicts_of_a_trial_follow_its_probabilities() -> None:
    assert verdicts(tried()) == ["trust", "relabel", "trust", "check", "check", "trust"]
    assert verdicts(tried(threshold=0.96)) == ["trust", "relabel", "check", "check", "check", "trust"]
    assert verdicts(tried(threshold=0.7)) == ["trust", "relabel", "trust", "trust", "check", "trust"]


def test_a_row_whose_best_class_is_less_likely_than_not_is_ambiguous() -> None:
    three = np.array(["cat", "dog", "eel"], dtype=object)
    unsure = np.array(
        [[0.4, 0.3, 0.3], [0.5, 0.3, 0.2], [0.45, 0.55, 0], [0.49, 0.51, 0], [1, 0, 0], [0, 1, 0]]
    )
    q, opinion = np.zeros((6, 3), dtype=np.float32), np.zeros((6, 3), dtype=np.float32)
    refined = tried(classes=three, q=q, opinion=opinion, probability=unsure, doubtful=None)
    assert verdicts(refined) == ["ambiguous", "check", "check", "check", "trust", "trust"]


def test_a_doubtful_label_is_relabeled_before_anything_else_is_said_of_its_row() -> None:
    probability = np.array([[1, 0], [0.5, 0.5], [1, 0], [1, 0], [1, 0], [1, 0]])
    assert verdicts(tried(probability=probability))[1] == "relabel"
    nothing = np.full(6, 0.4)[:, None] * np.ones(2)
    assert verdicts(tried(probability=nothing)) == ["ambiguous", "relabel", *["ambiguous"] * 4]
    assert verdicts(tried(doubtful=None))[1] == "ambiguous"  # the label stands, and is probably wrong


def test_an_outlier_is_no_row_to_trust_however_probable_its_class() -> None:
    near = np.array([0.1, 0.11, 0.12, 0.13, 0.1, 0.9], dtype=np.float32)
    given = np.array([0, 0, 0, 0, -1, -1])
    found = tried(given=given, outlier_score=near, doubtful=np.arange(6) == 1)
    frame = found.to_frame()
    assert frame["is_outlier_issue"].tolist() == [False] * 5 + [True]
    assert frame["confidence"].iloc[5] == 1
    assert verdicts(found) == ["trust", "relabel", "ambiguous", "check", "check", "outlier"]


def test_an_unlabeled_blank_sample_has_no_label_and_a_labeled_one_is_not_confident() -> None:
    blank = np.array([True, False, True, False, False, False])
    refined = tried(blank=blank)
    assert refined.labels.tolist() == ["cat", "dog", None, "cat", "cat", "dog"]
    assert refined.confidence[2] == refined.credibility[2] == 0
    assert verdicts(refined)[0] == "check"
    assert verdicts(refined)[2] == "ambiguous"
    assert refined.is_confident.tolist() == [False, True, False, False, False, True]
    alone = worked_example(blank=np.array([False, False, True, False]))
    assert alone.labels.tolist() == ["cat", "dog", None, None]


def test_label_issues_of_a_trial_are_the_doubtful_labels() -> None:
    issues = tried().find_label_issues()
    assert issues.index.tolist() == [0, 1]
    assert issues["is_label_issue"].tolist() == [False, True]
    np.testing.assert_allclose(issues["label_quality"], [0.97, 0.1])
    assert issues["given_label"].tolist() == ["cat", "cat"]
    assert issues["predicted_label"].tolist() == ["cat", "dog"]
    assert not tried(doubtful=None).find_label_issues()["is_label_issue"].any()
