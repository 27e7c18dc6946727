"""Values become JSON and come back; code is saved as its import path and imported only with permission."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from credprop.augment import VectorAugment, identity
from credprop.estimator.serialization import NotImported, from_json, to_json
from credprop.training import Phase

PHASE = Phase(epochs=2, batch_size=16, lr=0.01)


@pytest.mark.parametrize("value", [3, "a", None, [1.5, "b"], {"a": [True]}, PHASE, VectorAugment(noise=0.5)])
def test_values_come_back(value: Any) -> None:
    assert from_json(to_json(value), allow_import=False) == value


@pytest.mark.parametrize(
    ("value", "plain"),
    [(np.float64(0.5), 0.5), (np.arange(2), [0, 1]), (range(2), [0, 1]), ({3}, [3]), (Path("a/b"), "a/b")],
)
def test_values_without_a_json_type_become_the_nearest_one(value: Any, plain: Any) -> None:
    assert to_json(value) == plain


def test_a_function_of_ours_comes_back_as_itself() -> None:
    assert from_json(to_json(identity), allow_import=False) is identity


def test_a_class_of_ours_is_found_after_its_module_was_renamed() -> None:
    saved = to_json(PHASE)
    assert from_json(saved | {"made by": "credprop.training.settings:Phase"}, allow_import=False) == PHASE


@pytest.mark.parametrize("path", ["credprop.training:os.abort", "somewhere:Phase", "credprop:refine"])
def test_other_code_is_not_imported_without_permission(path: str) -> None:
    found = from_json({"made by": path}, allow_import=False)
    assert found == NotImported(path)
    assert to_json(found) == {"made by": path}
    with pytest.raises(ValueError, match="was not imported; load with allow_import=True"):
        found()
