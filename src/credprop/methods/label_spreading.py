"""Label spreading on a graph of nearest neighbors, from scikit-learn."""

from dataclasses import dataclass

import numpy as np
import torch

from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.methods.learned import Learned
from credprop.methods.standardized import Array, predictor, standardizer
from credprop.training import Compute


@dataclass(frozen=True, kw_only=True)
class LabelSpreading:
    """scikit-learn's LabelSpreading on standardized vectors.

    After Zhou et al., Learning with Local and Global Consistency, NeurIPS 2003.
    """

    neighbors: int = 7
    max_iter: int = 200

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Spread the labels; settings and seed are not used."""
        from sklearn import semi_supervised

        standardize = standardizer(data)
        x, y = standardize(data.x), data.labels.numpy()
        # Not the default kernel, exp(-20 d^2): it is zero between any two rows with many standardized
        # features.
        neighbors = min(self.neighbors, len(x))
        fitted = semi_supervised.LabelSpreading(kernel="knn", n_neighbors=neighbors, max_iter=self.max_iter)
        with np.errstate(invalid="ignore", divide="ignore"):  # rows not connected to any label
            fitted.fit(x, y)
        fitted.label_distributions_ = fill_unreached(fitted.label_distributions_, x, y, fitted.classes_)
        labels = fitted.classes_[fitted.label_distributions_.argmax(axis=1)]
        return Learned(
            predict=predictor(fitted, standardize),
            pseudo_labels=torch.from_numpy(labels),
            samples=len(data),
        )


def fill_unreached(distributions: Array, x: Array, y: Array, classes: Array) -> Array:
    """Class distributions, with that of the nearest labeled row where no label arrived."""
    unreached = ~(np.isfinite(distributions).all(axis=1) & (distributions.sum(axis=1) > 0))
    if not unreached.any():
        return distributions
    from sklearn.neighbors import KNeighborsClassifier

    nearest = KNeighborsClassifier(n_neighbors=1).fit(x[y >= 0], y[y >= 0]).predict(x[unreached])
    filled = distributions.copy()
    filled[unreached] = nearest[:, None] == classes
    return filled
