"""A saved classifier of texts or with a frozen encoder comes back as it was."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.base import clone
from torch import nn

from credprop import CCPClassifier
from credprop.frozen import choose_frozen
from credprop.networks import TextEncoder
from estimator.small import (
    NEW,
    NEW_TRUTH,
    TEXT_LABELS,
    TEXTS,
    contents,
    quick,
    same,
)
from text_world import Counter, block, make_counter


@pytest.mark.parametrize("name", ["reader", "sentences"])
def test_a_classifier_of_texts_comes_back(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    before: CCPClassifier = request.getfixturevalue(name)
    folder = before.save(tmp_path / "model")
    assert (folder / "tokenizer.json").exists() == (name == "reader")
    after = CCPClassifier.load(folder)
    assert same(before, after)
    assert after.get_params() == before.get_params()
    assert after.settings_ == before.settings_
    assert after.preparation_ == before.preparation_
    assert not hasattr(after, "n_features_in_")
    assert contents(after.save(tmp_path / "copy")) == contents(folder)
    assert contents(clone(after).fit(TEXTS, TEXT_LABELS).save(tmp_path / "anew")) == contents(folder)


def test_word_vectors_start_the_network_and_are_not_needed_to_load_it(tmp_path: Path) -> None:
    file = tmp_path / "v.txt"
    file.write_text("2 3\ngoal 1 2 3\nbank 4 5 6\n")
    torch.manual_seed(1)
    before = quick(vectors=file).fit(TEXTS, TEXT_LABELS)
    torch.manual_seed(2)
    assert same(before, clone(before).fit(TEXTS, TEXT_LABELS))
    assert isinstance(before.settings_.encoder, TextEncoder)
    start = before.settings_.encoder.embedding.weight
    assert [1, 2, 3] in start.tolist()
    folder = before.save(tmp_path / "model")
    file.unlink()
    after = CCPClassifier.load(folder)
    assert same(before, after)
    assert after.vectors == str(file)
    with pytest.raises(ValueError, match=r"v\.txt: cannot be read"):
        clone(after).fit(TEXTS, TEXT_LABELS)


@pytest.mark.parametrize("encoder", [Counter(), "text_world:make_counter"], ids=["object", "path"])
def test_a_custom_frozen_encoder_is_required_only_for_encoding(encoder: Any, tmp_path: Path) -> None:
    before = quick(encoder=encoder, budget=0.1).fit(TEXTS, TEXT_LABELS)
    assert before.score(NEW, NEW_TRUTH) > 0.9
    folder = before.save(tmp_path / "model")
    bare = CCPClassifier.load(folder)
    assert (bare.credibility_ == before.credibility_).all()
    with pytest.raises(ValueError, match=r"'counter', a custom encoder; .* as `encoder`"):
        bare.predict(NEW)
    with pytest.raises(ValueError, match="was not imported"):
        bare.fit(TEXTS, TEXT_LABELS)
    assert same(before, CCPClassifier.load(folder, encoder=make_counter()))
    other = CCPClassifier.load(folder, encoder=Counter("2"))
    with pytest.raises(ValueError, match="other weights"):
        other.predict(NEW)
    if isinstance(encoder, str):
        assert same(before, CCPClassifier.load(folder, allow_import=True))


def test_a_custom_module_can_be_frozen_and_is_unchanged(tmp_path: Path) -> None:
    images = np.random.default_rng(0).integers(0, 256, (24, 6, 6, 3), dtype=np.uint8)
    y = [0, 1] * 6 + [-1] * 12
    linear = nn.Linear(108, 5)
    net, weights = nn.Sequential(nn.Flatten(), linear), linear.weight.clone()
    before = quick(encoder=choose_frozen(net)).fit(images, y)
    assert torch.equal(linear.weight, weights)
    assert before.model_.placing.mean.shape == (5,)
    assert clone(before).fit(images, y).predict(images).shape == (24,)
    folder = before.save(tmp_path / "model")
    with pytest.raises(ValueError, match=r"custom network .* pass it as `encoder`"):
        CCPClassifier.load(folder).predict(images)
    assert same(before, CCPClassifier.load(folder, encoder=net), images)


def test_a_pretrained_network_encodes_images_for_the_classifier(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 80, (20, 8, 8, 3), dtype=np.uint8)
    images[::2, :4] += 170
    before = quick(encoder="pretrained").fit(images, [0, 1] * 4 + [-1] * 12)
    assert before.sample_shape_ == (8, 8, 3)
    assert before.model_.placing.mean.shape == (1280,)
    assert (before.predict(images) == [0, 1] * 10).mean() > 0.8
    after = CCPClassifier.load(before.save(tmp_path / "model"))
    assert same(before, after, images)
    with pytest.raises(ValueError, match=r"shape|expecting"):
        after.predict(images[:, :5])


def test_a_classifier_of_sentences_is_loaded_where_nothing_is_installed(
    sentences: CCPClassifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = sentences.save(tmp_path / "model")
    block(monkeypatch, "sentence_transformers")
    loaded = CCPClassifier.load(folder)
    assert loaded.find_label_issues().equals(sentences.find_label_issues())
    with pytest.raises(ValueError, match=r"pip install 'credprop\[embed\]'"):
        loaded.predict(NEW)


def test_an_older_tokenizer_does_not_stay_in_the_folder(
    reader: CCPClassifier, sentences: CCPClassifier, tmp_path: Path
) -> None:
    reader.save(tmp_path)
    sentences.save(tmp_path)
    assert not (tmp_path / "tokenizer.json").exists()
    assert same(CCPClassifier.load(tmp_path), sentences)
