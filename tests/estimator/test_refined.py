"""The results for every sample, on numbers that can be checked by hand."""

import numpy as np

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
        "verdict",
        "is_label_issue",
        "label_quality",
        "is_outlier_issue",
        "outlier_score",
        "labeled_iter",
    ]
    assert frame["verdict"].tolist() == ["trust", "relabel", "trust", "ambiguous"]
    assert frame["given_label"].fillna("-").tolist() == ["cat", "cat", "-", "-"]
    assert frame["refined_label"].fillna("-").tolist() == ["cat", "dog", "dog", "-"]
    assert frame["label_quality"].isna().tolist() == [False, False, True, True]
