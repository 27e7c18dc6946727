"""The candidates: linear models on vectors and on encodings, and what each is expected to be worth."""

import dataclasses

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from ccp.conftest import blobs, tiny
from credprop.augment import ImageAugment
from credprop.ccp import Settings, pretrain_once
from credprop.data import PartlyLabeled
from credprop.networks import Model, small_resnet
from credprop.training import predict_logits
from credprop.trial.candidates import CANDIDATES, Task, belief_in, features_of
from trial.conftest import CPU


def task(data: PartlyLabeled, settings: Settings) -> Task:
    pretrained = pretrain_once(data, settings, compute=CPU)
    features = features_of(data, settings, pretrained, CPU)
    return Task(data=data, settings=settings, seed=0, compute=CPU, pretrained=pretrained, features=features)


def accuracy(model: Model, data: PartlyLabeled) -> float:
    assert data.truth is not None
    return (predict_logits(model, data.x).argmax(dim=1) == data.truth).float().mean().item()


def images() -> tuple[PartlyLabeled, Settings]:
    generator = torch.Generator().manual_seed(0)
    truth = torch.arange(40) % 2
    x = torch.rand(40, 1, 8, 8, generator=generator) / 2 + truth[:, None, None, None] / 2
    data = PartlyLabeled(x=x, labels=torch.where(torch.arange(40) < 8, truth, -1), k=2, truth=truth)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return data, tiny(encoder=small_resnet(1), augment=ImageAugment())


def test_the_linear_model_is_scikit_learns_on_standardized_rows() -> None:
    data = blobs(labels_per_class=6)
    found = predict_logits(CANDIDATES["linear"](task(data, tiny())).model, data.x).softmax(dim=1)
    mean, scale = data.mean_and_scale()
    x, given = ((data.rows(torch.arange(90)) - mean) / scale).double().numpy(), data.given.numpy()
    theirs = LogisticRegression(max_iter=1000).fit(x[given], data.labels[given].numpy())
    np.testing.assert_allclose(found.numpy(), theirs.predict_proba(x), atol=2e-3)


def test_the_mixture_teaches_what_one_label_a_class_cannot() -> None:
    data = blobs(labels_per_class=1)
    own = task(data, tiny())
    right = {name: accuracy(CANDIDATES[name](own).model, data) for name in ("linear", "mixture")}
    assert right["mixture"] >= right["linear"]
    assert right["mixture"] == 1


@pytest.mark.parametrize("name", ["linear", "mixture"])
def test_on_images_a_linear_model_sees_the_pretrained_encodings(name: str) -> None:
    data, settings = images()
    own = task(data, settings)
    assert own.features is not None
    member = CANDIDATES[name](own)
    (layer,) = member.model.classifier
    assert own.features.shape == (40, layer.in_features)
    assert accuracy(member.model, data) > 0.8


def test_without_pretraining_images_have_no_linear_model() -> None:
    data, settings = images()
    assert features_of(data, dataclasses.replace(settings, pretrain=None), None, CPU) is None


@pytest.mark.parametrize("names", [list(CANDIDATES), ["supervised", "ccp"], ["ccp-refined", "linear"]])
def test_expectations_of_the_candidates_at_hand_sum_to_one(names: list[str]) -> None:
    belief = belief_in(names)
    for eta in (0.0, 0.3, 1.0):
        assert belief.at(eta).sum().item() == pytest.approx(1)
