"""Self-training with logistic regression, from scikit-learn: confident predictions become labels."""

from dataclasses import dataclass

import torch

from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.methods.learned import Learned
from credprop.methods.standardized import predictor, standardizer
from credprop.training import Compute


@dataclass(frozen=True, kw_only=True)
class SelfTraining:
    """scikit-learn's SelfTrainingClassifier on standardized vectors.

    After Yarowsky, Unsupervised Word Sense Disambiguation Rivaling Supervised Methods, ACL 1995.
    """

    threshold: float = 0.75
    max_iter: int = 1000  # of each logistic regression

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Fit iteratively on given and predicted labels; settings and seed are not used."""
        from sklearn.linear_model import LogisticRegression
        from sklearn.semi_supervised import SelfTrainingClassifier

        standardize = standardizer(data)
        regression = LogisticRegression(max_iter=self.max_iter)
        fitted = SelfTrainingClassifier(regression, threshold=self.threshold)
        fitted.fit(standardize(data.x), data.labels.numpy())
        return Learned(
            predict=predictor(fitted, standardize),
            pseudo_labels=torch.from_numpy(fitted.transduction_),
            samples=len(data),
        )
