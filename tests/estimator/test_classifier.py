"""What CCPClassifier learns, and its attributes and warnings."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.datasets import make_blobs
from torch import nn

from credprop import CCPClassifier, Refined, refine
from credprop.ccp import Progress


def quick(**changes: Any) -> CCPClassifier:
    return CCPClassifier(**({"trial": False, "budget": 0.1, "max_iter": 3, "random_state": 0} | changes))


@pytest.fixture(scope="module")
def clusters() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Three clusters, ten labels in each of which two are wrong, and the true classes."""
    x, truth = make_blobs(300, centers=3, n_features=8, cluster_std=2.0, random_state=0)
    y = np.full(len(truth), -1)
    for c in range(3):
        y[np.flatnonzero(truth == c)[:10]] = c
    wrong = [i for c in range(3) for i in np.flatnonzero(truth == c)[:2]]
    y[wrong] = (truth[wrong] + 1) % 3
    return x, y, truth


@pytest.fixture(scope="module")
def fitted(clusters: tuple[np.ndarray, np.ndarray, np.ndarray]) -> CCPClassifier:
    x, y, truth = clusters
    return quick(trust_labels=False, budget=0.3).fit(x, y, truth)


def test_refined_labels_are_right(fitted: CCPClassifier, clusters: tuple[np.ndarray, ...]) -> None:
    assert (fitted.transduction_ == clusters[2]).mean() > 0.95
    assert (fitted.predict(clusters[0]) == clusters[2]).mean() > 0.95


def test_wrong_labels_are_found(fitted: CCPClassifier, clusters: tuple[np.ndarray, ...]) -> None:
    _, y, truth = clusters
    issues = fitted.find_label_issues()
    assert list(issues) == ["is_label_issue", "label_quality", "given_label", "predicted_label"]
    assert issues.index.tolist() == np.flatnonzero(y >= 0).tolist()
    wrong = set(np.flatnonzero((y >= 0) & (y != truth)))
    assert set(issues.index[issues["is_label_issue"]]) == wrong
    assert set(issues["label_quality"].nsmallest(len(wrong)).index) == wrong
    assert (issues.loc[sorted(wrong), "predicted_label"].to_numpy() == truth[sorted(wrong)]).all()
    assert issues["label_quality"].between(0, 1).all()


def test_attributes_say_what_happened(fitted: CCPClassifier, clusters: tuple[np.ndarray, ...]) -> None:
    x, y, _ = clusters
    n = len(x)
    assert fitted.label_distributions_.shape == (n, 3)
    np.testing.assert_allclose(fitted.label_distributions_.sum(axis=1), 1)
    assert fitted.credibility_.shape == (n,)
    assert (fitted.credibility_ >= 0).all()
    assert (fitted.credibility_ <= 1).all()
    assert (fitted.labeled_iter_[y >= 0] == 0).all()
    assert set(fitted.labeled_iter_[y < 0]) <= {-1, 1, 2, 3}
    assert fitted.n_iter_ == 3
    assert any("pseudo_label_accuracy" in row for row in fitted.history_)
    assert fitted.outlier_score_.min() >= 0
    assert fitted.outlier_score_.max() <= 1


def test_trusted_labels_stay_as_given() -> None:
    x, truth = make_blobs(90, centers=3, random_state=1)
    y = np.where(np.arange(90) < 30, (truth + (np.arange(90) < 3)) % 3, -1)
    fitted = quick().fit(x, y)
    assert (fitted.transduction_[:30] == y[:30]).all()
    assert (fitted.credibility_[:30] == 1).all()


def test_a_trial_weighs_networks_and_says_how_sure_it_is(clusters: tuple[np.ndarray, ...]) -> None:
    x, y, truth = clusters
    fitted = quick(trial=True, trial_folds=2, budget=0.1, max_iter=1).fit(x, y, truth)
    assert (fitted.predict(x) == truth).mean() > 0.9
    assert sum(fitted.model_.weight_of.values()) == pytest.approx(1)
    found = fitted.certificate_
    assert found is not None
    assert (found.folds, found.hidden) == (2, 30)
    assert found.low <= found.difference <= found.high
    assert fitted.label_noise_ == pytest.approx(0.2, abs=0.12)  # 6 of 30 labels are wrong
    wrong, issues = (y >= 0) & (y != truth), fitted.find_label_issues()["is_label_issue"]
    assert set(issues.index[issues]) <= set(np.flatnonzero(wrong))
    assert (fitted.transduction_[issues.index[issues]] == truth[issues.index[issues]]).all()
    np.testing.assert_allclose(fitted.label_distributions_.sum(axis=1), 1)
    assert ((fitted.confidence_ > 0) & (fitted.confidence_ <= 1)).all()
    assert fitted.labeled_embedding_.shape[0] == 30
    share, low, high = fitted.trusted_right_
    assert 0 <= low <= share <= high <= 1


def test_gold_labels_are_kept_where_others_are_refined(clusters: tuple[np.ndarray, ...]) -> None:
    x, y, truth = clusters
    wrong = (y >= 0) & (y != truth)
    kept = quick(trust_labels=False).fit(x, y, gold=wrong)
    assert (kept.transduction_[wrong] == y[wrong]).all()
    assert (kept.credibility_[wrong] == 1).all()
    refined = quick(trust_labels=False).fit(x, y)
    assert (refined.transduction_[wrong] == truth[wrong]).mean() > 0.5


def test_without_a_trial_there_is_no_certificate_and_confidence_follows_credibility(
    fitted: CCPClassifier,
) -> None:
    assert fitted.certificate_ is fitted.label_noise_ is fitted.trusted_right_ is None
    known = fitted.credibility_ > 0
    assert (fitted.confidence_[known] > fitted.credibility_[known] - 1e-6).all()
    assert not fitted.confidence_[~known].any()
    assert list(fitted.model_.members) == ["ccp"]


def test_refine_gives_labels_and_builds_no_classifier() -> None:
    x, truth = make_blobs(90, centers=3, random_state=1)
    refined = refine(x, np.where(np.arange(90) < 30, truth, -1), budget=0.1, max_iter=2, random_state=0)
    assert isinstance(refined, Refined)
    assert (refined.labels == truth).mean() > 0.9
    assert len(refined.to_frame()) == 90
    assert refined.credibility.shape == (90,)


def test_images_of_bytes_floats_and_gray_ones() -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(24) % 2
    images = (rng.integers(0, 120, (24, 8, 8, 3)) + 120 * truth[:, None, None, None]).astype(np.uint8)
    y = np.where(np.arange(24) < 12, truth, -1)
    brief = quick(budget=0.01, max_iter=1)
    fitted = brief.fit(images, y)
    np.testing.assert_allclose(
        fitted.predict_proba(images), fitted.predict_proba((images / 255).astype(np.float32)), atol=1e-5
    )
    assert brief.fit(images[..., 0], y).predict(images[..., 0]).shape == (24,)


def test_any_module_encodes_and_any_callable_augments() -> None:
    x, truth = make_blobs(60, centers=2, n_features=3, random_state=1)
    layer = nn.Linear(3, 8)
    module, before = nn.Sequential(layer, nn.ReLU()), layer.weight.detach().clone()

    def shift(batch: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
        return batch + 0.1 * torch.randn(batch.shape, generator=generator)

    fitted = quick(encoder=module, augment=shift).fit(x, np.where(np.arange(60) < 20, truth, -1))
    assert torch.equal(layer.weight, before)
    assert fitted.model_.state_dict()["members.ccp.encoder.0.weight"].shape == (8, 3)


def test_samples_can_be_tracked_during_training() -> None:
    x, truth = make_blobs(60, centers=2, random_state=1)
    seen: list[Progress] = []
    fitted = quick(callback=seen.append, watch=[0, 50]).fit(x, np.where(np.arange(60) < 20, truth, -1))
    assert seen[-1].done == seen[-1].planned
    watched = [row["watched"] for row in fitted.history_ if "watched" in row]
    assert all(len(row) == 2 and len(row[0]) == 2 for row in watched)


@pytest.mark.parametrize(("trial", "epochs"), [(False, 5), (True, 25)])
def test_an_interrupted_fit_continues_from_its_checkpoint(tmp_path: Path, trial: bool, epochs: int) -> None:
    x, truth = make_blobs(60, centers=2, random_state=1)
    y = np.where(np.arange(60) < 20, truth, -1)
    brief: dict[str, Any] = {"trial": trial, "trial_folds": 2, "budget": 0.02, "max_iter": 1}
    told: list[Progress] = []

    def stop(progress: Progress) -> None:
        told.append(progress)
        if len(told) == epochs:
            raise KeyboardInterrupt

    folder = tmp_path / "training"
    with pytest.raises(KeyboardInterrupt):
        quick(checkpoint=folder, callback=stop, **brief).fit(x, y)
    assert folder.is_dir()
    resumed, whole = quick(checkpoint=folder, **brief).fit(x, y), quick(**brief).fit(x, y)
    assert (resumed.predict_proba(x) == whole.predict_proba(x)).all()
    assert resumed.certificate_ == whole.certificate_
    assert (resumed.confidence_ == whole.confidence_).all()
