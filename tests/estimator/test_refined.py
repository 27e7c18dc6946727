"""What is said of every sample, on numbers that can be checked by hand."""

import numpy as np
import pytest
import torch

from credprop import Refined
from credprop.estimator.outliers import find_strangers, strangeness


def worked_example(**changes: object) -> Refined:
    """Four samples: a label that holds, a wrong one, an unlabeled sample, one of which nothing is known."""
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


def test_an_opinion_without_strength_accuses_nobody() -> None:
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


def test_strangeness_is_the_angle_to_the_nearest_other_labeled_sample() -> None:
    degrees = torch.tensor([0.0, 30.0, 90.0, 180.0])
    features = torch.stack([torch.cos(degrees.deg2rad()), torch.sin(degrees.deg2rad())], dim=1)
    score = strangeness(features, np.array([0, 1, -1, -1]))
    np.testing.assert_allclose(180 * score, [30, 30, 60, 150], atol=0.1)


def test_strangeness_does_not_care_which_class_a_label_names() -> None:
    features = torch.randn(30, 4, generator=torch.Generator().manual_seed(0))
    given = np.where(np.arange(30) < 10, np.arange(30) % 3, -1)
    assert (strangeness(features, given) == strangeness(features, np.where(given >= 0, 0, -1))).all()


def test_strangers_far_beyond_the_labeled_samples_are_found_and_others_are_not() -> None:
    rng = np.random.default_rng(0)
    given = np.where(np.arange(400) < 50, 0, -1)
    score = rng.normal(0.2, 0.02, 400)
    score[300:] += 0.2
    found = find_strangers(score, given)
    assert found[300:].all()
    assert found[50:300].mean() < 0.1
    assert not found[:50].any()


def test_where_there_are_no_strangers_nearly_nobody_is_accused() -> None:
    rng = np.random.default_rng(0)
    given = np.where(np.arange(400) < 50, 0, -1)
    accused = [find_strangers(rng.normal(0.2, 0.02, 400), given).mean() for _ in range(50)]
    assert np.mean(accused) < 0.01


@pytest.mark.parametrize("labeled", [0, 1, 400])
def test_nobody_is_accused_where_nothing_can_be_compared(labeled: int) -> None:
    score = np.linspace(0, 1, 400)
    assert not find_strangers(score, np.where(np.arange(400) < labeled, 0, -1)).any()
    assert not find_strangers(np.full(400, 0.3), np.where(np.arange(400) < 50, 0, -1)).any()
