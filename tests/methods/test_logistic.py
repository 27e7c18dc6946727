"""Logistic regression is scikit-learn's."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression

from credprop.data import PartlyLabeled
from credprop.methods import METHODS
from methods.conftest import blobs, small


@pytest.fixture
def data() -> PartlyLabeled:
    """Three clusters that touch."""
    return blobs(3 * torch.eye(3), [40, 40, 40], [4, 4, 4], spread=1.5)


def standardized(data: PartlyLabeled) -> np.ndarray:
    x = data.rows(torch.arange(len(data))).double().numpy()
    return np.asarray((x - x.mean(axis=0)) / x.std(axis=0))


def test_logistic_regression_is_scikit_learns_on_standardized_vectors(data: PartlyLabeled) -> None:
    x, given = standardized(data), data.given
    expected = LogisticRegression().fit(x[given], data.labels[given].numpy()).predict(x)
    learned = METHODS["logistic"](data, small(), 0)
    assert np.array_equal(learned.predict(data.x).numpy(), expected)
    assert learned.pseudo_labels is None
