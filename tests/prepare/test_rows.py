"""The kinds of rows, and those that need no preparation."""

from typing import Any

import numpy as np
import pytest

from credprop.prepare import Arrays, raw_kind


@pytest.mark.parametrize(
    ("x", "kind"),
    [
        (["a", "b"], "text"),
        (np.array(["a", "b"], dtype=object), "text"),
        (np.zeros((2, 3)), "vectors"),
        (np.zeros((2, 3, 4, 4)), "images"),
    ],
    ids=["list", "array", "vectors", "images"],
)
def test_rows_are_texts_vectors_or_images(x: Any, kind: str) -> None:
    assert raw_kind(x) == kind


def test_arrays_stay_as_they_are() -> None:
    x = np.zeros((2, 3))
    assert Arrays().rows(x) is x
    assert (Arrays().to_json(), Arrays().files()) == ({"kind": "arrays"}, {})
