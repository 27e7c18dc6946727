"""The supervised baseline: the same network, trained without the unlabeled rows."""

from collections.abc import Callable

from sklearn.base import clone

from credprop.ccp import Progress, train_supervised
from credprop.estimator.classifier import CCPClassifier
from credprop.estimator.fit_inputs import FitInputs
from credprop.networks import Blend

_SAME = ("classes_", "preparation_", "sample_shape_", "n_features_in_", "feature_names_in_")


def fit_supervised_baseline(
    fitted: CCPClassifier,
    inputs: FitInputs,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> CCPClassifier:
    """The same classifier trained on the given labels only, in as many steps, from the same seed.

    `inputs` are those it was fitted on (`make_fit_inputs`). The result can predict, but has no refined
    labels.
    """
    other: CCPClassifier = clone(fitted)
    model = train_supervised(
        inputs.data,
        fitted.settings_,
        fitted.n_steps_,
        seed=fitted.seed_,
        compute=inputs.compute,
        on_progress=on_progress,
    )
    other.model_ = Blend.of_one("supervised", model)
    for name in _SAME:
        if hasattr(fitted, name):
            setattr(other, name, getattr(fitted, name))
    return other
