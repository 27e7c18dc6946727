"""What training on the labels alone would give: the same network, without the unlabeled rows."""

from collections.abc import Callable
from typing import Any

from sklearn.base import clone

from credprop.estimator.choices import choose_device
from credprop.estimator.classifier import CCPClassifier
from credprop.estimator.inputs import partly_labeled
from credprop.training import Progress, train_supervised


def labels_alone(
    fitted: CCPClassifier,
    X: Any,  # noqa: N803
    y: Any,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> CCPClassifier:
    """The same classifier trained on the given labels alone, in as many steps, from the same seed.

    It predicts; of the rows it was trained on it knows nothing but what was given.
    """
    other: CCPClassifier = clone(fitted)
    data, coded = partly_labeled(other, X, y)
    other.model_ = train_supervised(
        data,
        fitted.settings_,
        fitted.n_steps_,
        seed=fitted.seed_,
        compute=choose_device(fitted.device, fitted.precision),
        on_progress=on_progress,
    )
    other.classes_ = coded.classes
    return other
