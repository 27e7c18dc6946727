"""Label spreading is scikit-learn's, with a class for every row."""

import numpy as np
import pytest
import torch

from credprop.data import PartlyLabeled
from credprop.methods import METHODS
from credprop.methods.label_spreading import fill_unreached
from methods.conftest import accuracy, blobs, moons, small


@pytest.fixture
def data() -> PartlyLabeled:
    """Three clusters that touch."""
    return blobs(3 * torch.eye(3), [40, 40, 40], [4, 4, 4], spread=1.5)


def test_label_spreading_follows_the_moons_where_a_line_cannot() -> None:
    data = moons(labels_per_class=5, seed=1)
    spreading, line = (METHODS[name](data, small(), 0) for name in ("label-spreading", "logistic"))
    assert accuracy(spreading, data) > 0.95
    assert accuracy(spreading, data) > accuracy(line, data) + 0.05


def test_points_that_no_label_reaches_take_the_class_of_the_nearest_label() -> None:
    """A cluster apart, without a label: the graph of neighbors does not lead there."""
    x = torch.cat([torch.randn(20, 2) * 0.1, torch.randn(20, 2) * 0.1 + 5, torch.randn(20, 2) * 0.1 + 100])
    labels = torch.full((60,), -1)
    labels[:3], labels[20:23] = 0, 1
    learned = METHODS["label-spreading"](PartlyLabeled(x=x, labels=labels, k=2), small(), 0)
    assert learned.pseudo_labels is not None
    assert learned.pseudo_labels[40:].tolist() == [1] * 20
    assert learned.predict(x).tolist() == [0] * 20 + [1] * 40


def test_gaps_are_filled_and_the_rest_is_left_alone() -> None:
    x, y = np.array([[0.0], [1.0], [0.9], [0.1]]), np.array([0, 1, -1, -1])
    distributions = np.array([[1.0, 0.0], [0.0, 1.0], [np.nan, np.nan], [0.4, 0.6]])
    filled = fill_unreached(distributions, x, y, np.array([0, 1]))
    assert filled.tolist() == [[1, 0], [0, 1], [0, 1], [0.4, 0.6]]
    assert np.isnan(distributions[2]).all()  # the argument is not changed
