"""What training on the labels alone would give: the same network, without the unlabeled rows."""

from collections.abc import Callable

from sklearn.base import clone

from credprop.ccp import Progress, train_supervised
from credprop.estimator.classifier import CCPClassifier
from credprop.estimator.fit_inputs import Ready

_SAME = ("classes_", "preparation_", "sample_shape_", "n_features_in_", "feature_names_in_")


def labels_alone(
    fitted: CCPClassifier,
    ready: Ready,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> CCPClassifier:
    """The same classifier trained on the given labels alone, in as many steps, from the same seed.

    `ready` is what it was fitted on (`make_ready`). It predicts; of the rows it was trained on it knows
    nothing but what was given. A classifier that abstained is that already.
    """
    if fitted.termination_condition_ == "abstained":
        return fitted
    other: CCPClassifier = clone(fitted)
    other.model_ = train_supervised(
        ready.data,
        fitted.settings_,
        fitted.n_steps_,
        seed=fitted.seed_,
        compute=ready.compute,
        on_progress=on_progress,
    )
    for name in _SAME:
        if hasattr(fitted, name):
            setattr(other, name, getattr(fitted, name))
    return other
