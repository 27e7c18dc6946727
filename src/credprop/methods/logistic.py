"""Logistic regression on the labeled rows, from scikit-learn."""

from dataclasses import dataclass

from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.methods.learned import Learned
from credprop.methods.standardized import predictor, standardizer
from credprop.training import Compute


@dataclass(frozen=True, kw_only=True)
class Logistic:
    """scikit-learn's LogisticRegression on standardized vectors."""

    max_iter: int = 1000

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Fit on the labeled rows; settings and seed are not used."""
        from sklearn.linear_model import LogisticRegression

        standardize, given = standardizer(data), data.given
        x, y = standardize(data.rows(given)), data.labels[given].numpy()
        fitted = LogisticRegression(max_iter=self.max_iter).fit(x, y)
        return Learned(predict=predictor(fitted, standardize), samples=len(given))
