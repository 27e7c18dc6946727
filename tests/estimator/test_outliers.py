"""Outlier scores, and which samples are outliers."""

import numpy as np
import pytest
import torch

from credprop.estimator.outliers import find_outliers, outlier_scores


def test_outlier_score_is_the_angle_to_the_nearest_other_labeled_sample() -> None:
    degrees = torch.tensor([0.0, 30.0, 90.0, 180.0])
    features = torch.stack([torch.cos(degrees.deg2rad()), torch.sin(degrees.deg2rad())], dim=1)
    score = outlier_scores(features, np.array([0, 1, -1, -1]))
    np.testing.assert_allclose(180 * score, [30, 30, 60, 150], atol=0.1)


def test_outlier_score_does_not_care_which_class_a_label_names() -> None:
    features = torch.randn(30, 4, generator=torch.Generator().manual_seed(0))
    given = np.where(np.arange(30) < 10, np.arange(30) % 3, -1)
    assert (outlier_scores(features, given) == outlier_scores(features, np.where(given >= 0, 0, -1))).all()


def test_outliers_far_beyond_the_labeled_samples_are_found_and_others_are_not() -> None:
    rng = np.random.default_rng(0)
    given = np.where(np.arange(400) < 50, 0, -1)
    score = rng.normal(0.2, 0.02, 400)
    score[300:] += 0.2
    found = find_outliers(score, given)
    assert found[300:].all()
    assert found[50:300].mean() < 0.1
    assert not found[:50].any()


def test_without_outliers_there_are_few_false_alarms() -> None:
    rng = np.random.default_rng(0)
    given = np.where(np.arange(400) < 50, 0, -1)
    found = [find_outliers(rng.normal(0.2, 0.02, 400), given).mean() for _ in range(50)]
    assert np.mean(found) < 0.01


@pytest.mark.parametrize("labeled", [0, 1, 400])
def test_nothing_is_found_where_nothing_can_be_compared(labeled: int) -> None:
    score = np.linspace(0, 1, 400)
    assert not find_outliers(score, np.where(np.arange(400) < labeled, 0, -1)).any()
    assert not find_outliers(np.full(400, 0.3), np.where(np.arange(400) < 50, 0, -1)).any()
