"""The examples run as they stand; those that need data are given a little of it."""

import gzip
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from credprop.data import read_source

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
SLOW = {"refine_digits"}
NEED_DATA = {"ag_news_as_files": "ag_news.csv.gz", "cifar10_as_folders": "cifar10_12k.npz"}


def run(file: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A run of an example in this folder, which is that of its data too."""
    command = [sys.executable, str(file), *words]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, "CREDPROP_DATA": str(folder)},
    )


def example(name: str) -> Path:
    return next(file for file in EXAMPLES if file.stem == name)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_is_short(file: Path) -> None:
    assert file.read_text().count("\n") <= 60


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(f, id=f.stem, marks=[pytest.mark.slow] * (f.stem in SLOW))
        for f in EXAMPLES
        if f.stem not in NEED_DATA
    ],
)
def test_example_runs_and_says_something(file: Path, tmp_path: Path) -> None:
    done = run(file, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("name", NEED_DATA)
def test_an_example_without_its_data_says_what_is_missing_and_helps(name: str, tmp_path: Path) -> None:
    done = run(example(name), tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"{tmp_path / NEED_DATA[name]} not found; use --data FILE")
    assert not list(tmp_path.iterdir())
    helped = run(example(name), tmp_path, "--help")
    assert helped.returncode == 0
    assert "--labels" in helped.stdout


def test_ag_news_becomes_a_few_labeled_texts_and_a_test_set(tmp_path: Path) -> None:
    rows = [f'{("train", "test")[i % 5 == 4]},"News, ""number"" {i}",{i % 4},web' for i in range(200)]
    text = "\n".join(["split,text,label,source", *rows])
    (tmp_path / "ag_news.csv.gz").write_bytes(gzip.compress(text.encode()))
    options = ("--rows", "80", "--labels", "3")
    for folder, seed in (("a", "1"), ("b", "1"), ("c", "2")):
        done = run(example("ag_news_as_files"), tmp_path, folder, *options, "--seed", seed)
        assert done.returncode == 0, done.stderr
    few, test = (
        read_source(tmp_path / "a" / f"{n}.csv", label="label", text="text") for n in ("few", "test")
    )
    truth = {f'News, "number" {i}': i % 4 for i in range(200)}
    given = [(text, label) for text, label in zip(few.x, few.labels or (), strict=True) if label is not None]
    assert (len(few), len(set(few.x)), len(test)) == (80, 80, 40)
    assert [[label for _, label in given].count(c) for c in range(4)] == [3, 3, 3, 3]
    assert all(truth[text] == label for text, label in given)
    assert test.labels == [truth[text] for text in test.x]
    assert not set(few.x) & set(test.x)
    assert list(pd.read_csv(tmp_path / "a" / "few.csv").columns) == ["text", "label"]
    written = [(tmp_path / folder / "few.csv").read_bytes() for folder in "abc"]
    assert written[0] == written[1] != written[2]


def test_cifar_becomes_folders_of_images(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 256, (60, 32, 32, 3), dtype=np.uint8), np.arange(60) % 3
    arrays: dict[str, Any] = {"x_train": x[:48], "y_train": y[:48], "x_test": x[48:], "y_test": y[48:]}
    np.savez(tmp_path / "mine.npz", class_names=np.array(["cat", "dog", "ship"]), **arrays)
    words = ("out", "--data", "mine.npz", "--images", "10", "--labels", "4")
    done = run(example("cifar10_as_folders"), tmp_path, *words)
    assert done.returncode == 0, done.stderr
    train, test = (read_source(tmp_path / "out" / part) for part in ("train", "test"))
    assert [(train.labels or []).count(name) for name in ("cat", "dog", "ship", None)] == [4, 4, 4, 18]
    assert (test.labels or []).count("dog") == 4
    place = {image.tobytes(): i for i, image in enumerate(x)}
    rows = [place[image.tobytes()] for image in train.x]
    assert len(set(rows)) == 30
    assert max(rows) < 48
    named = {0: "cat", 1: "dog", 2: "ship"}
    assert all(label in (None, named[i % 3]) for i, label in zip(rows, train.labels or (), strict=True))
    assert np.bincount(np.array(rows) % 3).tolist() == [10, 10, 10]
    again = run(example("cifar10_as_folders"), tmp_path, *words)
    assert (again.returncode, again.stderr) == (1, "out already exists; use another folder\n")
