"""What a fitted classifier says of new rows."""

from typing import TYPE_CHECKING

import numpy as np
import torch

from credprop.data.dataset import Rows
from credprop.estimator.outliers import angle_to_nearest
from credprop.training import embed, predict_logits

if TYPE_CHECKING:
    from credprop.estimator.classifier import CCPClassifier


def probabilities(classifier: "CCPClassifier", rows: Rows) -> np.ndarray:
    """Class probabilities of prepared rows."""
    return predict_logits(classifier.model_, rows).double().softmax(dim=1).numpy()


def new_outlier_scores(classifier: "CCPClassifier", rows: Rows) -> np.ndarray:
    """Angle of prepared rows to the nearest labeled row of the fit, as a share of the half circle."""
    embedding = embed(classifier.model_.placing, rows)
    return angle_to_nearest(embedding, torch.from_numpy(classifier.labeled_embedding_))
