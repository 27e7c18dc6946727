"""The certificate of a trial, with what it does and does not say."""

from dataclasses import replace

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from credprop.trial.certificate import BLEND, LINEAR, SUPERVISED, Certificate, compare
from credprop.trial.hidden import Hidden
from credprop.trial.likelihood import Likelihood
from credprop.trial.trial import Trial

_DECIDING = 6  # rows: with fewer, even a win in all of them has p > 0.05
_NOISE = 0.05  # share of wrong labels that is worth a sentence


def certify(trial: Trial, hidden: Hidden, b: Float[Tensor, "h k"], likelihood: Likelihood) -> Certificate:
    """How the blend b, cross-fitted, compares with the better baseline, and which of them to ship."""
    data = trial.task.data
    baselines = [name for name in (SUPERVISED, LINEAR) if name in hidden.log_p]
    predicted = {name: torch.cat(list(hidden.log_p[name])).argmax(dim=1).numpy() for name in baselines}
    predicted[BLEND] = b.argmax(dim=1).numpy()
    left = len(data.given) - np.mean([len(fold) for fold in hidden.folds])
    found = compare(
        predicted,
        hidden.given.numpy(),
        data.k,
        metric=trial.options.metric,
        folds=len(hidden.folds),
        training_labels=float(left),
        weights=dict(zip(hidden.log_p, likelihood.weights.tolist(), strict=True)),
    )
    unhidden = len(data.given) - found.hidden
    found = replace(found, note=" ".join(_notes(found, likelihood.eta * (data.k - 1) / data.k, unhidden)))
    return replace(found, shipped=found.baseline) if trial.options.safe and found.worse else found


def _notes(found: Certificate, noise: float, unhidden: int) -> list[str]:
    """Sentences on what the certificate does not say."""
    notes = [
        f"Measured by hiding given labels; speaks of training on about {found.hidden + unhidden} labels."
    ]
    if found.decided_by < _DECIDING:
        notes.append(
            f"Too few labels to prove anything: only {found.decided_by} of {found.hidden} hidden labels tell "
            f"the two apart, and it takes at least {_DECIDING}."
        )
    if noise > _NOISE:
        notes.append(
            f"About {100 * noise:.0f} % of the given labels seem to be wrong. Agreement with given labels is "
            "measured; accuracy is higher."
        )
    if unhidden:
        notes.append(
            f"{unhidden} of the labels were not hidden"
            + (
                " (one fold of several was tried)."
                if found.folds == 1
                else ": each is the last of its class."
            )
        )
    return notes
