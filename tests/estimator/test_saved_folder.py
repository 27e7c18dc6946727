"""A damaged or incomplete run folder is refused in one line."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from credprop import CCPClassifier
from estimator.small import (
    change_config,
    refused,
)

BROKEN: list[tuple[str, Callable[[Path], object], str]] = [
    ("no config", lambda f: (f / "config.json").unlink(), "has no config.json"),
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
    ("no projector", lambda f: change_config(f, lambda c: member(c).pop("projector")), "projector"),
    ("other projector", lambda f: change_config(f, lambda c: member(c).update(projector=[3])), "damaged"),
    ("no layer", lambda f: change_config(f, lambda c: member(c).update(classifier=[])), "damaged"),
    ("other width", lambda f: change_config(f, lambda c: member(c).update(classifier=[9])), "classes"),
    ("no members", lambda f: change_config(f, lambda c: c["network"].update(members={})), "damaged"),
    ("members a list", lambda f: change_config(f, lambda c: c["network"].update(members=[1])), "damaged"),
    ("a member too many", lambda f: change_config(f, add_member), "damaged"),
    ("placed by nobody", lambda f: change_config(f, lambda c: c["network"].update(placing="x")), "damaged"),
    ("encoder a number", lambda f: change_config(f, lambda c: c["network"].update(encoder=3)), "3"),
]


def member(config: dict[str, Any]) -> dict[str, Any]:
    """What the config says about the only network."""
    found: dict[str, Any] = config["network"]["members"]["ccp"]
    return found


def add_member(config: dict[str, Any]) -> None:
    config["network"]["members"]["other"] = member(config)


def swap_for_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(("harm", "named"), [pytest.param(*broken[1:], id=broken[0]) for broken in BROKEN])
def test_a_damaged_or_incomplete_folder_is_refused(
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
            allowed = (name, other) in (("n_features_in", None), ("label_noise", 1.5))
            if type(other) is type(config[name]) or allowed:
                continue
            (saved / "config.json").write_text(json.dumps(config | {name: other}))
            assert name in refused(saved).lower()
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
    assert f"{where} is not a folder" in refused(tmp_path / where)


def change(folder: Path, part: str, **values: Any) -> None:
    config = json.loads((folder / "config.json").read_text())
    config[part] |= values
    (folder / "config.json").write_text(json.dumps(config))


BROKEN_TEXTS: list[tuple[str, Callable[[Path], object]]] = [
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


@pytest.mark.parametrize("harm", [pytest.param(harm, id=name) for name, harm in BROKEN_TEXTS])
def test_a_damaged_folder_of_texts_is_refused(
    reader: CCPClassifier, tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    folder = reader.save(tmp_path / "model")
    harm(folder)
    message = refused(folder)
    assert str(folder) in message
    assert "refit the model" in message


@pytest.mark.parametrize("left", ["ccp", "mixture"])
def test_a_folder_of_a_blend_without_one_of_its_members_is_refused(
    tried: CCPClassifier, tmp_path: Path, left: str
) -> None:
    folder = tried.save(tmp_path / "model")
    change_config(folder, lambda config: config["network"]["members"].pop(left))
    assert str(folder) in refused(folder)


def test_a_certificate_of_unknown_fields_is_refused(tried: CCPClassifier, tmp_path: Path) -> None:
    folder = tried.save(tmp_path / "model")
    change_config(folder, lambda config: config["certificate"].update(luck=1))
    assert "luck" in refused(folder)
