"""Every method with a network takes texts; those of scikit-learn say that they do not."""

import pytest
import torch

from ccp.test_texts import texts
from credprop.augment import TextAugment
from credprop.methods import METHODS, VECTORS_ONLY
from credprop.networks import TextNetwork
from methods.conftest import CPU, small

NETWORK = TextNetwork(vocabulary=41, width=8, branches=(((6, 3),), ((4, 2), (3, 2))))


@pytest.mark.parametrize("name", sorted(set(METHODS) - VECTORS_ONLY))
def test_texts_work(name: str) -> None:
    data = texts()
    settings = small(10, encoder=NETWORK, augment=TextAugment(), optimizer="adam")
    learned, again = (METHODS[name](data, settings, 0, compute=CPU) for _ in range(2))
    assert set(learned.predict(data.x).tolist()) <= {0, 1}
    assert learned.history == again.history
    assert torch.equal(learned.predict(data.x), again.predict(data.x))
    assert learned.samples > 0


@pytest.mark.parametrize("name", sorted(VECTORS_ONLY))
def test_methods_of_vectors_refuse_texts(name: str) -> None:
    with pytest.raises(ValueError, match="takes vectors alone; encode the text first"):
        METHODS[name](texts(), small(), 0)
