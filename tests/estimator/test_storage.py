"""A saved classifier comes back as it was; a folder that is not as it should be is refused in one line."""

import ast
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from markdown_it import MarkdownIt
from safetensors.torch import load_file
from sklearn.base import clone
from sklearn.datasets import make_blobs
from torch import Tensor, nn

from credprop import CCPClassifier
from credprop.augment import VectorAugment
from credprop.estimator.refined import significant
from credprop.training import Phase

SOURCE = Path(__file__).parents[2] / "src" / "credprop"
FILES = {"README.md", "config.json", "history.jsonl", "labels.csv", "model.safetensors"}
X, TRUTH = make_blobs(60, centers=3, n_features=4, random_state=0)
Y = np.where(np.arange(60) < 24, TRUTH, -1)


class Own(nn.Module):
    """An encoder of one's own that needs no arguments."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 8)

    def forward(self, x: Tensor) -> Tensor:
        """One vector a sample."""
        out: Tensor = self.layer(x).relu()
        return out


def make_encoder() -> nn.Module:
    """An encoder by the path of this function."""
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU())


def shake(x: Tensor, generator: torch.Generator) -> Tensor:
    """An augmentation of one's own."""
    return x + 0.1 * torch.randn(x.shape, generator=generator)


def quick(**changes: Any) -> CCPClassifier:
    return CCPClassifier(**({"budget": 0.01, "max_iter": 1, "random_state": 0} | changes))


@pytest.fixture(scope="module")
def fitted() -> CCPClassifier:
    return quick(trust_labels=False).fit(X, Y)


@pytest.fixture
def saved(fitted: CCPClassifier, tmp_path: Path) -> Path:
    return fitted.save(tmp_path / "model")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refused(folder: Path, **options: Any) -> str:
    """The one line that says why a folder cannot be loaded."""
    with pytest.raises(ValueError, match=r"\S") as caught:
        CCPClassifier.load(folder, **options)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


def change_config(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    config = json.loads((folder / "config.json").read_text())
    change(config)
    (folder / "config.json").write_text(json.dumps(config))


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


def test_all_that_was_learned_comes_back(fitted: CCPClassifier, saved: Path) -> None:
    loaded = CCPClassifier.load(saved)
    for name in ("transduction_", "credibility_", "credibility_vectors_", "label_distributions_"):
        assert (getattr(loaded, name) == getattr(fitted, name)).all()
    for name in ("labeled_iter_", "outlier_score_"):
        assert (getattr(loaded, name) == getattr(fitted, name)).all()
    for name in ("history_", "n_iter_", "n_steps_", "termination_condition_", "n_features_in_", "settings_"):
        assert getattr(loaded, name) == getattr(fitted, name)
    pd.testing.assert_frame_equal(loaded.find_label_issues(), fitted.find_label_issues())
    pd.testing.assert_frame_equal(loaded.to_frame(), fitted.to_frame())
    assert loaded.get_params() == fitted.get_params()


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
    fitted: CCPClassifier, saved: Path, tmp_path: Path
) -> None:
    again = clone(fitted).fit(X, Y).save(tmp_path / "elsewhere")
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


@pytest.mark.parametrize("encoder", [Own(), "estimator_encoders:make_encoder"], ids=["module", "path"])
def test_an_encoder_of_ones_own_is_loaded_only_with_leave(
    tmp_path: Path, encoder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "estimator_encoders", sys.modules[__name__])
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
    assert "same build" in refused(folder, encoder=nn.Linear(4, 3))


def test_an_encoder_that_cannot_be_made_by_its_path_is_asked_for(tmp_path: Path) -> None:
    before = quick(encoder=nn.Linear(4, 8)).fit(X, Y)
    folder = before.save(tmp_path / "model")
    assert "needs arguments" in refused(folder, allow_import=True)
    loaded = CCPClassifier.load(folder, encoder=nn.Linear(4, 8))
    assert (loaded.predict(X) == before.predict(X)).all()


def test_an_augmentation_of_ones_own_is_imported_only_with_leave(tmp_path: Path) -> None:
    before = quick(augment=shake).fit(X, Y)
    folder = before.save(tmp_path / "model")
    careful = CCPClassifier.load(folder)
    assert (careful.predict_proba(X) == before.predict_proba(X)).all()
    with pytest.raises(ValueError, match="shake was not imported; load with allow_import"):
        careful.fit(X, Y)
    assert CCPClassifier.load(folder, allow_import=True).augment is shake
    assert contents(careful.save(tmp_path / "copy")) == contents(folder)


@pytest.mark.parametrize("name", ["encoder", "augment"])
def test_no_folder_makes_us_run_code_unasked(saved: Path, name: str) -> None:
    evil = {"made by": "credprop.augment.vectors:torch.os.abort"}
    change_config(saved, lambda config: config["parameters"].update({name: evil}))
    change_config(saved, lambda config: config["settings"].update({name: evil}))
    loaded = CCPClassifier.load(saved)
    assert loaded.predict(X).shape == (60,)
    change_config(saved, lambda config: config["network"].update({"encoder": "torch.os:abort"}))
    assert "allow_import" in refused(saved)


def test_nothing_is_pickled(saved: Path) -> None:
    assert {path.name for path in saved.iterdir()} == FILES
    assert load_file(saved / "model.safetensors").keys() > {"samples.q", "model.mean"}
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


def test_numbers_in_the_table_of_labels_are_rounded(fitted: CCPClassifier, saved: Path) -> None:
    table, frame = pd.read_csv(saved / "labels.csv"), fitted.to_frame()
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


BROKEN: list[tuple[str, Callable[[Path], object], str]] = [
    ("no config", lambda f: (f / "config.json").unlink(), "no config.json"),
    ("no weights", lambda f: (f / "model.safetensors").unlink(), "model.safetensors"),
    ("no history", lambda f: (f / "history.jsonl").unlink(), "history.jsonl"),
    ("weights cut", lambda f: (f / "model.safetensors").write_bytes(b"\0" * 40), "damaged"),
    ("weights empty", lambda f: (f / "model.safetensors").write_bytes(b""), "damaged"),
    ("weights a folder", lambda f: swap_for_folder(f / "model.safetensors"), "cannot be read"),
    ("config a folder", lambda f: swap_for_folder(f / "config.json"), "cannot be read"),
    ("config binary", lambda f: (f / "config.json").write_bytes(b"\xff\xfe"), "cannot be read"),
    ("config cut", lambda f: (f / "config.json").write_text('{"format": 1, '), "cannot be read"),
    ("config a list", lambda f: (f / "config.json").write_text("[1]"), "format None"),
    ("config deep", lambda f: (f / "config.json").write_text("[" * 100_000), "cannot be read"),
    ("history cut", lambda f: (f / "history.jsonl").write_text('{"a": '), "history.jsonl"),
    ("another version", lambda f: change_config(f, lambda c: c.update(format=99)), "format 99"),
    ("unknown parameter", lambda f: change_config(f, lambda c: c["parameters"].update(depth=3)), "depth"),
    ("unknown setting", lambda f: change_config(f, lambda c: c["settings"].update(depth=3)), "depth"),
    ("other classes", lambda f: change_config(f, lambda c: c["classes"].append(9)), "classes"),
    ("classes of no type", lambda f: change_config(f, lambda c: c.update(classes_type="?!")), "damaged"),
    ("classes not numbers", lambda f: change_config(f, lambda c: c.update(classes=["a", 1, 2])), "damaged"),
    ("other shape", lambda f: change_config(f, lambda c: c["network"].update(sample_shape=[5])), "damaged"),
    (
        "shape of text",
        lambda f: change_config(f, lambda c: c["network"].update(sample_shape=["a"])),
        "damaged",
    ),
    ("endless shape", lambda f: change_config(f, lambda c: c["network"].update(sample_shape=[2**60])), "dam"),
    ("no projector", lambda f: change_config(f, lambda c: c["network"].pop("projector")), "projector"),
    ("encoder a number", lambda f: change_config(f, lambda c: c["network"].update(encoder=3)), "3"),
]


def swap_for_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(("harm", "named"), [pytest.param(*broken[1:], id=broken[0]) for broken in BROKEN])
def test_a_folder_that_is_not_as_it_should_be_is_refused(
    saved: Path, harm: Callable[[Path], object], named: str
) -> None:
    harm(saved)
    message = refused(saved)
    assert named in message
    assert str(saved) in message


def test_every_part_of_the_config_is_needed_and_checked(saved: Path) -> None:
    config = json.loads((saved / "config.json").read_text())
    for name in config.keys() - {"credprop"}:
        others: list[Any] = [None, {}, "text", [1], 1.5]
        for other in others:
            if type(other) is type(config[name]) or (name, other) == ("n_features_in", None):
                continue
            (saved / "config.json").write_text(json.dumps(config | {name: other}))
            assert name in refused(saved)
        (saved / "config.json").write_text(json.dumps({k: v for k, v in config.items() if k != name}))
        assert name in refused(saved)


def test_no_damage_to_the_weights_goes_unseen(saved: Path) -> None:
    path, chance = saved / "model.safetensors", random.Random(0)
    whole = path.read_bytes()
    for _ in range(60):
        damaged = bytearray(whole)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)) :]
        else:
            place = chance.choice([len(damaged), 2000])  # also of the header
            damaged[chance.randrange(place)] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        assert "damaged" in refused(saved)
    path.write_bytes(whole)
    CCPClassifier.load(saved)


@pytest.mark.parametrize("where", ["nowhere", "file"])
def test_what_is_no_folder_is_named(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    assert f"{where} is no folder" in refused(tmp_path / where)


HOSTILE = ["<script>alert(1)</script>", "`` ` ``", "a\n# b", "![x](y)", "  ", "x" * 500, "-1|2", "${}{z}"]


def test_the_card_shows_hostile_names_as_text(tmp_path: Path) -> None:
    y = np.array(HOSTILE, dtype=object)[np.arange(60) % len(HOSTILE)]
    folder = quick().fit(X, [*y[:30], *[None] * 30]).save(tmp_path / "model")
    card = (folder / "README.md").read_text().split("---\n", 2)[2]
    tokens = [t for token in MarkdownIt().parse(card) for t in (token, *(token.children or ()))]
    assert not [t for t in tokens if t.type in ("html_inline", "html_block", "image", "link_open")]
    assert [t.tag for t in tokens if t.type == "heading_open"] == ["h1", "h2", "h2"]
    code = [t.content for t in tokens if t.type == "code_inline"]
    assert "<script>alert(1)</script>" in code
    assert max(map(len, code)) < 70
