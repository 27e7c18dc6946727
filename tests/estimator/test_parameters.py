"""Wrong parameters are named; right ones become settings."""

from typing import Any

import pytest
from torch import nn

from credprop.networks import TextNetwork
from estimator.small import (
    TEXT_LABELS,
    TEXTS,
    X,
    Y,
    quick,
)

TEXT_CHOICES = [
    ({"encoder": "mlp"}, "encoder mlp takes vectors, the rows are text"),
    ({"encoder": "pretrained"}, "takes images, the rows are text"),
    ({"encoder": "sentences"}, "unknown encoder 'sentences'; use one of auto, .*text, sentence"),
    ({"encoder": "sentence:no/such/model"}, "neither a folder nor a model on this machine"),
    ({"encoder": "sentence", "preset": "text-yahoo"}, "preset 'text-yahoo' is for a network that learns"),
    ({"encoder": "text", "preset": "cifar10"}, "preset 'cifar10' is not for text"),
    ({"encoder": "sentence", "vectors": "bpemb"}, "word vectors are for the text network"),
    ({"encoder": "text", "vectors": "nowhere.bin"}, "nowhere.bin: cannot be read"),
    ({"encoder": "text", "augment": "images"}, "augmentation ImageAugment cannot take samples"),
    ({"encoder": nn.Linear(3, 3)}, "encoder Linear cannot take samples"),
    ({"settings": {"depth": 3}}, "unknown setting 'depth'"),
    ({"preset": "best"}, "unknown preset 'best'"),
]


@pytest.mark.parametrize(("choices", "words"), TEXT_CHOICES, ids=[str(choice[0]) for choice in TEXT_CHOICES])
def test_wrong_choices_for_texts_are_refused(
    choices: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match=words):
        quick(**choices).fit(TEXTS, TEXT_LABELS)


def test_a_preset_of_the_paper_takes_the_text_network() -> None:
    fitted = quick(preset="text-rotten-tomatoes", budget=0.01).fit(TEXTS, TEXT_LABELS)
    assert fitted.preparation_.kind == "tokens"
    assert isinstance(fitted.settings_.encoder, TextNetwork)
    assert fitted.settings_.encoder.dropout == 0.8


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"preset": "best"}, "unknown preset 'best'"),
        ({"encoder": "lstm"}, "unknown encoder 'lstm'"),
        ({"encoder": "no.such:thing"}, "cannot import"),
        ({"encoder": "collections:OrderedDict"}, "must return an nn.Module"),
        ({"augment": "blur"}, "unknown augmentation 'blur'"),
        ({"budget": 0}, "budget is 0"),
        ({"trust_labels": "no"}, "trust_labels is 'no'; give 'auto', True, or False"),
        ({"settings": {"speed": 1}}, "unknown setting 'speed'"),
        ({"precision": "float8"}, "unknown precision"),
        ({"metric": "f1"}, "unknown metric 'f1'; use one of accuracy, balanced-accuracy, macro-f1"),
        ({"trial_folds": 1}, "trial_folds is 1; give a whole number of at least 2"),
        ({"trial_folds": 2.5}, "trial_folds is 2.5"),
        ({"jobs": 0}, "jobs is 0; give a number of processes of at least 1"),
        ({"confidence": 0}, "confidence is 0; give a probability above 0"),
        ({"confidence": 1.1}, "confidence is 1.1"),
    ],
)
def test_wrong_parameters_are_named(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        quick(**changes).fit(X, Y)
