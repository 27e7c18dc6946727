"""Self-training is scikit-learn's."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.semi_supervised import SelfTrainingClassifier

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


def test_self_training_is_scikit_learns_on_standardized_vectors(data: PartlyLabeled) -> None:
    expected = SelfTrainingClassifier(LogisticRegression(), threshold=0.75).fit(
        standardized(data), data.labels.numpy()
    )
    learned = METHODS["self-training"](data, small(), 0)
    assert np.array_equal(learned.predict(data.x).numpy(), expected.predict(standardized(data)))
    assert learned.pseudo_labels is not None
    assert np.array_equal(learned.pseudo_labels.numpy(), expected.transduction_)
