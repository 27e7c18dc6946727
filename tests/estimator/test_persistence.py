"""A saved classifier comes back as it was, and no code is run without permission."""

import ast
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from safetensors.torch import load_file
from sklearn.base import clone
from torch import Tensor, nn

from credprop import CCPClassifier
from credprop.augment import VectorAugment
from credprop.estimator.refined import significant
from credprop.training import Phase
from estimator.small import (
    TRUTH,
    X,
    Y,
    change_config,
    contents,
    quick,
    refused,
)

SOURCE = Path(__file__).parents[2] / "src" / "credprop"

FILES = {"README.md", "config.json", "history.jsonl", "labels.csv", "model.safetensors"}


class Own(nn.Module):
    """A custom encoder that needs no arguments."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 8)

    def forward(self, x: Tensor) -> Tensor:
        """One vector per sample."""
        out: Tensor = self.layer(x).relu()
        return out


def make_encoder() -> nn.Module:
    """An encoder by the path of this function."""
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU())


def shake(x: Tensor, generator: torch.Generator) -> Tensor:
    """A custom augmentation."""
    return x + 0.1 * torch.randn(x.shape, generator=generator)


@pytest.mark.parametrize(
    "names",
    [
        np.array([7, 3, 5]),
        np.array(["b", "a", "ünï, `c`\n"]),
        np.array(["b", "a", "c"], dtype=object),
        np.array([2.0, 1.0, 7.0]),
        np.array([True, False, True]),
    ],
    ids=["int", "text", "objects", "float", "bool"],
)
def test_classes_of_every_type_come_back(tmp_path: Path, names: np.ndarray) -> None:
    given: list[Any] = [names[t] if y >= 0 else None for t, y in zip(TRUTH, Y, strict=True)]
    before = quick(unlabeled_label=None).fit(X, np.array(given, dtype=object))
    after = CCPClassifier.load(before.save(tmp_path / "model"))
    assert after.classes_.dtype == before.classes_.dtype
    assert after.classes_.tolist() == before.classes_.tolist() == sorted(set(names.tolist()))
    assert (after.predict_proba(X) == before.predict_proba(X)).all()
    assert (after.predict(X) == before.predict(X)).all()
    assert after.transduction_.tolist() == before.transduction_.tolist()


def test_all_that_was_learned_comes_back(vectors: CCPClassifier, saved: Path) -> None:
    loaded = CCPClassifier.load(saved)
    for name in ("transduction_", "credibility_", "credibility_vectors_", "label_distributions_"):
        assert (getattr(loaded, name) == getattr(vectors, name)).all()
    for name in ("labeled_iter_", "outlier_score_"):
        assert (getattr(loaded, name) == getattr(vectors, name)).all()
    for name in (
        "history_",
        "n_iter_",
        "n_steps_",
        "label_noise_",
        "trusted_right_",
        "n_features_in_",
        "settings_",
    ):
        assert getattr(loaded, name) == getattr(vectors, name)
    pd.testing.assert_frame_equal(loaded.find_label_issues(), vectors.find_label_issues())
    pd.testing.assert_frame_equal(loaded.to_frame(), vectors.to_frame())
    assert loaded.get_params() == vectors.get_params()


def test_what_a_trial_found_comes_back_with_all_its_networks(tried: CCPClassifier, tmp_path: Path) -> None:
    folder = tried.save(tmp_path / "model")
    loaded = CCPClassifier.load(folder)
    assert len(loaded.model_.members) > 1
    assert loaded.model_.weight_of == tried.model_.weight_of
    assert (loaded.predict_proba(X) == tried.predict_proba(X)).all()
    assert loaded.certificate_ is not None
    assert loaded.certificate_ == tried.certificate_
    assert loaded.label_noise_ == tried.label_noise_
    assert loaded.trusted_right_ == tried.trusted_right_
    for name in (
        "transduction_",
        "confidence_",
        "credibility_",
        "label_distributions_",
        "labeled_embedding_",
    ):
        assert (getattr(loaded, name) == getattr(tried, name)).all()
    pd.testing.assert_frame_equal(loaded.to_frame(), tried.to_frame())
    pd.testing.assert_frame_equal(loaded.find_label_issues(), tried.find_label_issues())
    assert contents(loaded.save(tmp_path / "copy")) == contents(folder)
    assert contents(clone(loaded).fit(X, Y).save(tmp_path / "refitted")) == contents(folder)


def test_names_of_features_come_back(tmp_path: Path) -> None:
    frame = pd.DataFrame(X, columns=["w", "x y", "é", "{z}"])
    loaded = CCPClassifier.load(quick().fit(frame, Y).save(tmp_path / "model"))
    assert loaded.feature_names_in_.tolist() == list(frame)
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(frame[list(frame)[::-1]])


def test_a_classifier_of_images_comes_back(tmp_path: Path) -> None:
    images = np.random.default_rng(0).integers(0, 256, (16, 6, 6, 3), dtype=np.uint8)
    before = quick().fit(images, [0, 1] * 4 + [-1] * 8)
    after = CCPClassifier.load(before.save(tmp_path / "model"))
    assert (after.predict_proba(images) == before.predict_proba(images)).all()
    with pytest.raises(ValueError, match=r"fitted on|expecting"):
        after.predict(images[:, :5])


def test_saved_twice_it_is_the_same_without_time_or_path(
    vectors: CCPClassifier, saved: Path, tmp_path: Path
) -> None:
    again = clone(vectors).fit(X, Y).save(tmp_path / "elsewhere")
    assert contents(saved) == contents(again)
    assert all(str(tmp_path).encode() not in content for content in contents(saved).values())


def test_a_loaded_one_is_saved_cloned_and_fitted_again(saved: Path, tmp_path: Path) -> None:
    loaded = CCPClassifier.load(saved)
    assert contents(loaded.save(tmp_path / "copy")) == contents(saved)
    assert contents(clone(loaded).fit(X, Y).save(tmp_path / "refitted")) == contents(saved)


def test_settings_and_augmentations_come_back_as_objects(tmp_path: Path) -> None:
    first = Phase(epochs=2, batch_size=16, lr=0.01)
    before = quick(settings={"first": first}, augment=VectorAugment(noise=0.5)).fit(X, Y)
    loaded = CCPClassifier.load(before.save(tmp_path / "model"))
    assert loaded.get_params() == before.get_params()
    assert (clone(loaded).fit(X, Y).predict_proba(X) == before.predict_proba(X)).all()


def test_saving_over_an_old_folder_leaves_other_files_alone(saved: Path) -> None:
    (saved / "notes.txt").write_text("mine")
    other = quick(random_state=1).fit(X, Y)
    other.save(saved)
    assert (CCPClassifier.load(saved).predict_proba(X) == other.predict_proba(X)).all()
    assert (saved / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    "encoder", [Own(), "estimator.test_persistence:make_encoder"], ids=["module", "path"]
)
def test_a_custom_encoder_is_loaded_only_with_permission(tmp_path: Path, encoder: Any) -> None:
    before = quick(encoder=encoder).fit(X, Y)
    folder = before.save(tmp_path / "model")
    message = refused(folder)
    assert "allow_import" in message
    assert ("make_encoder" if isinstance(encoder, str) else "Own") in message
    mine = make_encoder() if isinstance(encoder, str) else Own()
    for options in ({"encoder": mine}, {"allow_import": True}):
        loaded = CCPClassifier.load(folder, **options)
        assert (loaded.predict_proba(X) == before.predict_proba(X)).all()
        assert clone(loaded).fit(X, Y).predict(X).shape == (60,)
        assert loaded.save(tmp_path / "copy") == tmp_path / "copy"
    assert "same architecture" in refused(folder, encoder=nn.Linear(4, 3))


def test_an_encoder_that_cannot_be_made_by_its_path_must_be_passed(tmp_path: Path) -> None:
    before = quick(encoder=nn.Linear(4, 8)).fit(X, Y)
    folder = before.save(tmp_path / "model")
    assert "needs arguments" in refused(folder, allow_import=True)
    loaded = CCPClassifier.load(folder, encoder=nn.Linear(4, 8))
    assert (loaded.predict(X) == before.predict(X)).all()


def test_a_custom_augmentation_is_imported_only_with_permission(tmp_path: Path) -> None:
    before = quick(augment=shake).fit(X, Y)
    folder = before.save(tmp_path / "model")
    careful = CCPClassifier.load(folder)
    assert (careful.predict_proba(X) == before.predict_proba(X)).all()
    with pytest.raises(ValueError, match="shake was not imported; load with allow_import"):
        careful.fit(X, Y)
    assert CCPClassifier.load(folder, allow_import=True).augment is shake
    assert contents(careful.save(tmp_path / "copy")) == contents(folder)


@pytest.mark.parametrize("name", ["encoder", "augment"])
def test_no_folder_runs_code_without_permission(saved: Path, name: str) -> None:
    evil = {"made by": "credprop.augment.vectors:torch.os.abort"}
    change_config(saved, lambda config: config["parameters"].update({name: evil}))
    change_config(saved, lambda config: config["settings"].update({name: evil}))
    loaded = CCPClassifier.load(saved)
    assert loaded.predict(X).shape == (60,)
    change_config(saved, lambda config: config["network"].update({"encoder": "torch.os:abort"}))
    assert "allow_import" in refused(saved)


def test_nothing_is_pickled(saved: Path) -> None:
    assert {path.name for path in saved.iterdir()} == FILES
    assert load_file(saved / "model.safetensors").keys() > {"samples.q", "model.members.ccp.mean"}
    json.loads((saved / "config.json").read_text())
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        imported = {alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
        imported |= {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert not {name.split(".")[0] for name in imported} & {"pickle", "cloudpickle", "dill", "shelve"}
        calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        harmless = [n for n in calls if "weights_only=True" in map(ast.unparse, n.keywords)]
        called = {ast.unparse(n.func) for n in calls if n not in harmless}
        assert not called & {"torch.load", "torch.save", "joblib.load", "joblib.dump"}


def test_numbers_in_the_table_of_labels_are_rounded(vectors: CCPClassifier, saved: Path) -> None:
    table, frame = pd.read_csv(saved / "labels.csv"), vectors.to_frame()
    for name in ("credibility", "label_quality", "outlier_score"):
        np.testing.assert_allclose(table[name], frame[name], rtol=1e-5)
    cells = (saved / "labels.csv").read_text().replace("\n", ",").split(",")
    assert max(len(cell) for cell in cells) <= len("is_outlier_issue")


def test_six_significant_digits_are_kept() -> None:
    values = np.array([0.123456789, 1.0, 0.0, 1.23456789e-9, np.nan, 1e-320, -2 / 3])
    rounded = significant(values)
    assert rounded[:4].tolist() == [0.123457, 1.0, 0.0, 1.23457e-9]
    assert np.isnan(rounded[4])
    np.testing.assert_allclose(rounded[5:], values[5:], atol=1e-5)
