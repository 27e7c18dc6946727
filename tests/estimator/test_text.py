"""Texts and frozen encoders in the classifier: learned from, predicted, saved and loaded."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from torch import Tensor, nn

from credprop import CCPClassifier, LabeledKFold, labeled_scorer, refine
from credprop.ccp import Progress
from credprop.frozen import choose_frozen
from credprop.networks import TextEncoder, TextNetwork
from text_world import LABELED, ROWS, Counter, block, labels, make_counter, texts, truth

X, Y = texts(), labels()
NEW, NEW_TRUTH = texts(40, seed=1), [truth(i) for i in range(40)]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is encoded is kept for all tests here, and only for them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CREDPROP_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def quick(**changes: Any) -> CCPClassifier:
    return CCPClassifier(**({"budget": 0.02, "max_iter": 1, "random_state": 0} | changes))


@pytest.fixture(scope="module")
def reader() -> CCPClassifier:
    """A classifier with the text network."""
    return quick(encoder="text").fit(X, Y)


@pytest.fixture(scope="module")
def sentences() -> CCPClassifier:
    """A classifier with the real sentence encoder."""
    return quick(encoder="sentence").fit(X, Y)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def same(one: CCPClassifier, other: CCPClassifier, x: Any = NEW) -> bool:
    return bool((one.predict_proba(x) == other.predict_proba(x)).all())


def refused(folder: Path, **options: Any) -> str:
    with pytest.raises(ValueError, match=r"\S") as caught:
        CCPClassifier.load(folder, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


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
    assert contents(clone(after).fit(X, Y).save(tmp_path / "anew")) == contents(folder)


def test_the_sentence_encoder_knows_what_texts_are_about(sentences: CCPClassifier) -> None:
    assert sentences.score(NEW, NEW_TRUTH) > 0.8
    assert sentences.settings_.encoder == "mlp"


@pytest.mark.parametrize(
    "x",
    [tuple(X), np.array(X), np.array(X, dtype=object), pd.Series(X), pd.DataFrame({"t": X})],
    ids=["tuple", "array", "objects", "series", "frame"],
)
def test_texts_of_every_form_give_the_same(reader: CCPClassifier, x: Any) -> None:
    other = clone(reader).fit(x, pd.Series(Y))
    assert (other.credibility_vectors_ == reader.credibility_vectors_).all()
    assert other.predict(x).tolist() == reader.predict(X).tolist()


def test_labels_are_refined_without_a_classifier() -> None:
    refined = refine(X, Y, encoder=Counter(), budget=0.1, random_state=0)
    assert refined.labels.shape == (ROWS,)
    assert refined.labels[:LABELED].tolist() == Y[:LABELED]
    assert np.mean(refined.labels == [truth(i) for i in range(ROWS)]) > 0.9


def test_missing_texts_work_with_a_warning_of_their_row(reader: CCPClassifier) -> None:
    with pytest.warns(UserWarning, match=r"row 3 is empty .* \(rows like it: 2\)"):
        fitted = clone(reader).fit([*X[:3], None, np.nan, *X[5:]], Y)
    with pytest.warns(UserWarning, match="row 1 is empty"):
        assert len(fitted.predict(["goal", ""])) == 2


WRONG: dict[str, tuple[list[Any], str]] = {
    "a number among texts": ([*X[:5], 7, *X[6:]], "row 5 is 7, not text"),
    "one text": (X[:1], "minimum of 2"),
    "empty texts": ([""] * ROWS, "no text in any row"),
    "fewer texts than labels": (X[:-1], "inconsistent numbers of samples"),
}


@pytest.mark.filterwarnings("ignore:row 0 is empty")
@pytest.mark.parametrize("name", WRONG)
def test_wrong_texts_are_refused(name: str) -> None:
    x, words = WRONG[name]
    with pytest.raises(ValueError, match=words):
        quick(encoder="text").fit(x, Y if len(x) != 1 else Y[:1])


def test_rows_of_another_kind_are_refused_when_predicted(reader: CCPClassifier) -> None:
    for other in (np.zeros((3, 4)), "one text", [[1.0]]):
        with pytest.raises(ValueError, match="X is no list of texts; the model was fitted on texts"):
            reader.predict(other)
    vectors = quick().fit(np.random.default_rng(0).normal(size=(ROWS, 3)), Y)
    with pytest.raises(ValueError, match="X holds text; the model was fitted on vectors"):
        vectors.predict(NEW)
    vectors.fit(X, Y)
    assert not hasattr(vectors, "n_features_in_")
    assert vectors.predict(NEW).shape == (40,)


CHOICES = [
    ({"encoder": "mlp"}, "encoder mlp takes vectors, the rows are text"),
    ({"encoder": "pretrained"}, "takes images, the rows are text"),
    ({"encoder": "sentences"}, "no encoder is named 'sentences'; there are auto, .*text, sentence"),
    ({"encoder": "sentence:no/such/model"}, "neither a folder nor among the models on this machine"),
    ({"encoder": "sentence", "preset": "text-yahoo"}, "preset 'text-yahoo' is for a network that learns"),
    ({"encoder": "text", "preset": "cifar10"}, "preset 'cifar10' is not for text"),
    ({"encoder": "sentence", "vectors": "bpemb"}, "word vectors are for the text network"),
    ({"encoder": "text", "vectors": "nowhere.bin"}, "nowhere.bin: cannot be read"),
    ({"encoder": "text", "augment": "images"}, "augmentation ImageAugment cannot take samples"),
    ({"encoder": nn.Linear(3, 3)}, "encoder Linear cannot take samples"),
    ({"settings": {"depth": 3}}, "no setting is named 'depth'"),
    ({"preset": "best"}, "unknown preset 'best'"),
]


@pytest.mark.parametrize(("choices", "words"), CHOICES, ids=[str(choice[0]) for choice in CHOICES])
def test_wrong_choices_for_texts_are_refused(
    choices: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match=words):
        quick(**choices).fit(X, Y)


def test_a_preset_of_the_paper_takes_the_text_network() -> None:
    fitted = quick(preset="text-rotten-tomatoes", budget=0.01).fit(X, Y)
    assert fitted.preparation_.kind == "tokens"
    assert isinstance(fitted.settings_.encoder, TextNetwork)
    assert fitted.settings_.encoder.dropout == 0.8


def test_word_vectors_start_the_network_and_are_not_needed_to_load_it(tmp_path: Path) -> None:
    file = tmp_path / "v.txt"
    file.write_text("2 3\ngoal 1 2 3\nbank 4 5 6\n")
    torch.manual_seed(1)
    before = quick(vectors=file).fit(X, Y)
    torch.manual_seed(2)
    assert same(before, clone(before).fit(X, Y))
    assert isinstance(before.settings_.encoder, TextEncoder)
    start = before.settings_.encoder.embedding.weight
    assert [1, 2, 3] in start.tolist()
    folder = before.save(tmp_path / "model")
    file.unlink()
    after = CCPClassifier.load(folder)
    assert same(before, after)
    assert after.vectors == str(file)
    with pytest.raises(ValueError, match=r"v\.txt: cannot be read"):
        clone(after).fit(X, Y)


def test_a_module_of_ones_own_reads_tokens() -> None:
    class Bag(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bag = nn.EmbeddingBag(1000, 5)

        def forward(self, x: Tensor) -> Tensor:
            return self.bag(x)  # type: ignore[no-any-return]

    for augment in ("auto", "none"):
        fitted = quick(encoder=Bag(), augment=augment).fit(X, Y)
        assert "encoder of your own" in fitted.preparation_.reason
        assert fitted.predict_proba(NEW).shape == (40, 2)


def test_a_module_of_ones_own_that_looks_like_ours_reads_tokens_too() -> None:
    class Mean(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(1000, 5)

        def forward(self, x: Tensor) -> Tensor:
            return self.embedding(x).mean(dim=1)  # type: ignore[no-any-return]

    assert quick(encoder=Mean()).fit(X, Y).predict_proba(NEW).shape == (40, 2)
    with pytest.raises(ValueError, match="encoder Mean after augmentation TextAugment cannot take"):
        quick(encoder=Mean(), augment="text").fit(X, Y)


@pytest.mark.parametrize("encoder", [Counter(), "text_world:make_counter"], ids=["object", "path"])
def test_a_frozen_encoder_of_ones_own_is_loaded_without_and_asked_for_when_it_must_encode(
    encoder: Any, tmp_path: Path
) -> None:
    before = quick(encoder=encoder, budget=0.1).fit(X, Y)
    assert before.score(NEW, NEW_TRUTH) > 0.9
    folder = before.save(tmp_path / "model")
    bare = CCPClassifier.load(folder)
    assert (bare.credibility_ == before.credibility_).all()
    with pytest.raises(ValueError, match=r"'counter', made by code of your own; .* as `encoder`"):
        bare.predict(NEW)
    with pytest.raises(ValueError, match="was not imported"):
        bare.fit(X, Y)
    assert same(before, CCPClassifier.load(folder, encoder=make_counter()))
    other = CCPClassifier.load(folder, encoder=Counter("2"))
    with pytest.raises(ValueError, match="other weights"):
        other.predict(NEW)
    if isinstance(encoder, str):
        assert same(before, CCPClassifier.load(folder, allow_import=True))


def test_a_module_of_ones_own_can_be_frozen_and_is_left_as_it_was(tmp_path: Path) -> None:
    images = np.random.default_rng(0).integers(0, 256, (24, 6, 6, 3), dtype=np.uint8)
    y = [0, 1] * 6 + [-1] * 12
    linear = nn.Linear(108, 5)
    net, weights = nn.Sequential(nn.Flatten(), linear), linear.weight.clone()
    before = quick(encoder=choose_frozen(net)).fit(images, y)
    assert torch.equal(linear.weight, weights)
    assert before.model_.mean.shape == (5,)
    assert clone(before).fit(images, y).predict(images).shape == (24,)
    folder = before.save(tmp_path / "model")
    with pytest.raises(ValueError, match=r"network of your own .* give it as `encoder`"):
        CCPClassifier.load(folder).predict(images)
    assert same(before, CCPClassifier.load(folder, encoder=net), images)


def test_a_pretrained_network_sees_for_the_classifier(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 80, (20, 8, 8, 3), dtype=np.uint8)
    images[::2, :4] += 170
    before = quick(encoder="pretrained").fit(images, [0, 1] * 4 + [-1] * 12)
    assert before.sample_shape_ == (8, 8, 3)
    assert before.model_.mean.shape == (1280,)
    assert (before.predict(images) == [0, 1] * 10).mean() > 0.8
    after = CCPClassifier.load(before.save(tmp_path / "model"))
    assert same(before, after, images)
    with pytest.raises(ValueError, match=r"shape|expecting"):
        after.predict(images[:, :5])


def test_progress_is_told_while_rows_are_encoded() -> None:
    told: list[Progress] = []
    quick(encoder=Counter("3"), callback=told.append).fit(X, Y)
    assert told[0].stage == "encode"
    done = [p for p in told if p.stage == "encode"][-1]
    assert (done.done, done.planned) == (ROWS, ROWS)
    assert told[-1].stage == "build"


def test_rows_are_encoded_once_for_fitting_and_predicting() -> None:
    counter = Counter("4")
    fitted = quick(encoder=counter).fit(X, Y)
    fitted.predict(X)
    assert sorted(counter.asked) == sorted(set(X))


def test_cross_validation_takes_a_list_of_texts() -> None:
    scores = cross_val_score(
        quick(encoder=Counter(), budget=0.1),
        X,
        np.array([-1 if y is None else int(y == "sport") for y in Y]),
        cv=LabeledKFold(2, shuffle=True, random_state=0),
        scoring=labeled_scorer(),
        error_score="raise",
    )
    assert scores.mean() > 0.8


def change(folder: Path, part: str, **values: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    config[part] |= values
    (folder / "config.json").write_text(json.dumps(config))


BROKEN: list[tuple[str, Callable[[Path], object]]] = [
    ("no tokenizer", lambda f: (f / "tokenizer.json").unlink()),
    ("tokenizer changed", lambda f: (f / "tokenizer.json").write_text("{}")),
    ("tokenizer left out", lambda f: set_to(f, "files", {})),
    ("a file too many", lambda f: change(f, "files", **{"../evil": "0"})),
    ("another preparation", lambda f: change(f, "preparation", kind="arrays")),
    ("no preparation", lambda f: change(f, "preparation", kind=None)),
    ("another length", lambda f: change(f, "preparation", length="8")),
    ("another vocabulary", lambda f: change(f, "preparation", vocabulary=9)),
    ("a network of another size", lambda f: resize(f, 9)),
    ("a network that is none", lambda f: change(f, "network", encoder={"made by": "os:abort"})),
    ("a shape", lambda f: set_to(f, "sample_shape", [3])),
]


def set_to(folder: Path, name: str, value: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {name: value}))


def resize(folder: Path, vocabulary: int) -> None:
    encoder = json.loads((folder / "config.json").read_text())["network"]["encoder"]
    change(folder, "network", encoder=encoder | {"vocabulary": vocabulary})


@pytest.mark.parametrize("harm", [pytest.param(harm, id=name) for name, harm in BROKEN])
def test_a_damaged_folder_of_texts_is_refused(
    reader: CCPClassifier, tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    folder = reader.save(tmp_path / "model")
    harm(folder)
    message = refused(folder)
    assert str(folder) in message
    assert "fit it anew" in message


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


def test_the_card_says_what_reads_the_texts(reader: CCPClassifier, tmp_path: Path) -> None:
    card = (reader.save(tmp_path) / "README.md").read_text()
    assert "- Samples: texts\n" in card
    assert f"- Rows: `{reader.preparation_.reason}`\n" in card
    assert "- Encoder: text;" in card


def at_odds(labeled: int = LABELED) -> list[str | None]:
    """Labels that are right for every other text, of both classes alike: they follow nothing."""
    return [truth(i // 2) if i < labeled else None for i in range(ROWS)]


def test_labels_that_follow_nothing_are_not_spread(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="nothing was spread"):
        fitted = quick(encoder="text", budget=0.2).fit(X, at_odds())
    assert (fitted.termination_condition_, fitted.n_iter_) == ("abstained", 0)
    assert list(fitted.transduction_[:LABELED]) == at_odds()[:LABELED]
    assert not set(fitted.transduction_[LABELED:]) & {"sport", "money"}
    frame = fitted.to_frame()
    assert set(frame["verdict"][LABELED:]) == {"ambiguous"}
    assert not frame["is_label_issue"].any()
    assert not frame["is_outlier_issue"].any()
    issues = fitted.find_label_issues()
    assert (issues["predicted_label"] == issues["given_label"]).all()
    assert set(fitted.predict(NEW)) <= {"sport", "money"}
    loaded = CCPClassifier.load(fitted.save(tmp_path / "run"))
    assert (loaded.termination_condition_, loaded.n_iter_) == ("abstained", 0)
    assert same(fitted, loaded)
    assert "abstained" in (tmp_path / "run" / "README.md").read_text()


def test_refining_labels_that_follow_nothing_gives_these_back_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="nothing was spread"):
        refined = refine(X, at_odds(), encoder="text", budget=0.2, random_state=0)
    assert list(refined.labels[:LABELED]) == at_odds()[:LABELED]
    assert not refined.credibility[LABELED:].any()


def test_labels_that_follow_the_words_are_spread() -> None:
    fitted = quick(encoder="text", budget=0.2).fit(X, Y)
    assert (fitted.termination_condition_, fitted.n_iter_) == ("max_iter", 1)
    assert (fitted.credibility_ > 0).mean() > 0.9
