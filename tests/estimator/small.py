"""Small data and quick classifiers of vectors and texts."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from credprop import CCPClassifier
from text_world import labels, texts, truth

_BLOBS = make_blobs(60, centers=3, n_features=4, random_state=0)
X: np.ndarray = _BLOBS[0]
TRUTH: np.ndarray = _BLOBS[1]
Y = np.where(np.arange(60) < 24, TRUTH, -1)
TEXTS, TEXT_LABELS = texts(), labels()
NEW, NEW_TRUTH = texts(40, seed=1), [truth(i) for i in range(40)]


def quick(**changes: Any) -> CCPClassifier:
    """A classifier that learns in a second, without a trial."""
    defaults = {"trial": False, "budget": 0.02, "max_iter": 1, "random_state": 0}
    return CCPClassifier(**(defaults | changes))


def same(one: CCPClassifier, other: CCPClassifier, x: Any = NEW) -> bool:
    """Whether both predict the same."""
    return bool((one.predict_proba(x) == other.predict_proba(x)).all())


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def refused(folder: Path, **options: Any) -> str:
    """The one-line error for a folder that cannot be loaded."""
    with pytest.raises(ValueError, match=r"\S") as caught:
        CCPClassifier.load(folder, **options)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


def change_config(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the folder's config with `change`."""
    config = json.loads((folder / "config.json").read_text())
    change(config)
    (folder / "config.json").write_text(json.dumps(config))
