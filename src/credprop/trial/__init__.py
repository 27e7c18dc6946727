"""The trial: how far to believe each candidate, measured on given labels that are hidden from it."""

from credprop.trial.certificate import Certificate
from credprop.trial.fit import Outcome, fit_with_trial
from credprop.trial.likelihood import Belief, Likelihood, Prior, fit_likelihood
from credprop.trial.scores import METRICS, check_metric
from credprop.trial.trial import TrialOptions, TrustLabels, times_longer

__all__ = [
    "METRICS",
    "Belief",
    "Certificate",
    "Likelihood",
    "Outcome",
    "Prior",
    "TrialOptions",
    "TrustLabels",
    "check_metric",
    "fit_likelihood",
    "fit_with_trial",
    "times_longer",
]
