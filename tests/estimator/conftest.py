"""Classifiers that many tests use, and a cache of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from credprop import CCPClassifier
from estimator.small import TEXT_LABELS, TEXTS, X, Y, quick


@pytest.fixture(scope="package", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of vectors for the tests in this folder only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CREDPROP_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="package")
def vectors() -> CCPClassifier:
    """A classifier of vectors."""
    return quick(trust_labels=False).fit(X, Y)


@pytest.fixture(scope="package")
def tried() -> CCPClassifier:
    """A classifier of vectors with a trial."""
    return quick(trial=True, trial_folds=2, budget=0.05).fit(X, Y)


@pytest.fixture(scope="package")
def reader(cache: None) -> CCPClassifier:
    """A classifier with the text network."""
    return quick(encoder="text").fit(TEXTS, TEXT_LABELS)


@pytest.fixture(scope="package")
def sentences(cache: None) -> CCPClassifier:
    """A classifier with the real sentence encoder."""
    return quick(encoder="sentence").fit(TEXTS, TEXT_LABELS)


@pytest.fixture
def saved(vectors: CCPClassifier, tmp_path: Path) -> Path:
    """A folder of the classifier of vectors, which a test may change."""
    return vectors.save(tmp_path / "model")
