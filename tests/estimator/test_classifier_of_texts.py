"""What CCPClassifier learns from texts and by frozen encoders."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from torch import Tensor, nn

from credprop import CCPClassifier, LabeledKFold, labeled_scorer, refine
from estimator.small import (
    NEW,
    NEW_TRUTH,
    TEXT_LABELS,
    TEXTS,
    quick,
)
from text_world import LABELED, ROWS, Counter, truth


def test_the_sentence_encoder_knows_what_texts_are_about(sentences: CCPClassifier) -> None:
    assert sentences.score(NEW, NEW_TRUTH) > 0.8
    assert sentences.settings_.encoder == "mlp"


@pytest.mark.parametrize(
    "x",
    [
        tuple(TEXTS),
        np.array(TEXTS),
        np.array(TEXTS, dtype=object),
        pd.Series(TEXTS),
        pd.DataFrame({"t": TEXTS}),
    ],
    ids=["tuple", "array", "objects", "series", "frame"],
)
def test_texts_of_every_form_give_the_same(reader: CCPClassifier, x: Any) -> None:
    other = clone(reader).fit(x, pd.Series(TEXT_LABELS))
    assert (other.credibility_vectors_ == reader.credibility_vectors_).all()
    assert other.predict(x).tolist() == reader.predict(TEXTS).tolist()


def test_labels_are_refined_without_a_classifier() -> None:
    refined = refine(TEXTS, TEXT_LABELS, encoder=Counter(), budget=0.1, random_state=0)
    assert refined.labels.shape == (ROWS,)
    assert refined.labels[:LABELED].tolist() == TEXT_LABELS[:LABELED]
    assert np.mean(refined.labels == [truth(i) for i in range(ROWS)]) > 0.9


def test_a_custom_module_reads_tokens() -> None:
    class Bag(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bag = nn.EmbeddingBag(1000, 5)

        def forward(self, x: Tensor) -> Tensor:
            return self.bag(x)  # type: ignore[no-any-return]

    for augment in ("auto", "none"):
        fitted = quick(encoder=Bag(), augment=augment).fit(TEXTS, TEXT_LABELS)
        assert "encoder of your own" in fitted.preparation_.reason
        assert fitted.predict_proba(NEW).shape == (40, 2)


def test_a_custom_module_that_looks_like_ours_reads_tokens_too() -> None:
    class Mean(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(1000, 5)

        def forward(self, x: Tensor) -> Tensor:
            return self.embedding(x).mean(dim=1)  # type: ignore[no-any-return]

    assert quick(encoder=Mean()).fit(TEXTS, TEXT_LABELS).predict_proba(NEW).shape == (40, 2)
    with pytest.raises(ValueError, match="encoder Mean after augmentation TextAugment cannot take"):
        quick(encoder=Mean(), augment="text").fit(TEXTS, TEXT_LABELS)


def test_cross_validation_takes_a_list_of_texts() -> None:
    scores = cross_val_score(
        quick(encoder=Counter(), budget=0.1),
        TEXTS,
        np.array([-1 if y is None else int(y == "sport") for y in TEXT_LABELS]),
        cv=LabeledKFold(2, shuffle=True, random_state=0),
        scoring=labeled_scorer(),
        error_score="raise",
    )
    assert scores.mean() > 0.8


def test_labels_that_follow_the_words_are_spread() -> None:
    fitted = quick(encoder="text", budget=0.2).fit(TEXTS, TEXT_LABELS)
    assert fitted.n_iter_ == 1
    assert (fitted.credibility_ > 0).mean() > 0.9
