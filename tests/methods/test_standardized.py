"""Methods on standardized vectors."""

import numpy as np
import pytest
import torch

from credprop.data import PartlyLabeled
from credprop.methods import METHODS, VECTORS_ONLY
from methods.conftest import small, texts


@pytest.mark.parametrize("name", sorted(VECTORS_ONLY))
def test_images_are_refused(name: str) -> None:
    images = PartlyLabeled(x=np.zeros((6, 8, 8, 3), dtype=np.uint8), labels=torch.arange(6) % 2, k=2)
    with pytest.raises(ValueError, match="only vectors, not images"):
        METHODS[name](images, small(), 0)


@pytest.mark.parametrize("name", sorted(VECTORS_ONLY))
def test_methods_of_vectors_refuse_texts(name: str) -> None:
    with pytest.raises(ValueError, match="only vectors, not text; encode the rows"):
        METHODS[name](texts(), small(), 0)
