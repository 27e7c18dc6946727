"""A fit with a trial: the blend that the trial chose, what it says of every row, and the certificate."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from credprop.ccp import Progress, Result, Settings
from credprop.data import PartlyLabeled
from credprop.networks import Blend
from credprop.training import Compute, choose_compute, isolated_random_state, predict_logits
from credprop.trial.candidates import CCPS, belief_in
from credprop.trial.certificate import BLEND, Certificate
from credprop.trial.certify import certify
from credprop.trial.doubt import find_issues, label_posterior
from credprop.trial.hidden import Hidden
from credprop.trial.likelihood import Likelihood, without_hidden_labels
from credprop.trial.trial import Trial, TrialOptions, begin_trial
from credprop.trial.trusted import share_right

NEAR_ZERO = 0.03  # a member with less weight is not shipped


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings:
    """What the trial found before anything learns from all labels.

    `hidden` and what follows from it are None where no label could be hidden.
    """

    likelihood: Likelihood
    issues: Bool[Tensor, " n"]  # given labels that are probably wrong
    hidden: Hidden | None = None
    posterior: Float[Tensor, "h k"] | None = None  # of the true class of hidden rows, after seeing the label
    cross_fitted: Float[Tensor, "h k"] | None = None  # blend of hidden rows by weights that ignore their fold
    certificate: Certificate | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """What a fit with a trial learned."""

    model: Blend
    source: str  # the candidate that refined the labels, "ccp" or "ccp-refined"
    result: Result  # of it: refined labels and their credibility
    settings: Settings  # of this candidate
    probability: Float[Tensor, "n k"]  # of the true class of every row, after seeing its label
    findings: Findings

    @property
    def certificate(self) -> Certificate | None:
        """How the blend compares with the better baseline."""
        return self.findings.certificate

    @property
    def label_noise(self) -> float | None:
        """Estimated share of wrong given labels; None if no label could be hidden."""
        k = self.probability.shape[1]
        return None if self.findings.hidden is None else self.findings.likelihood.eta * (k - 1) / k

    def share_right(self, rows: Bool[Tensor, " n"], threshold: float) -> tuple[float, float, float] | None:
        """Expected share of these rows that are right, with an interval; None if no label could be hidden."""
        found = self.findings
        if found.hidden is None or found.cross_fitted is None:
            return None
        confidence = self.probability[rows].amax(dim=1)
        return share_right(
            confidence, found.cross_fitted, found.hidden.given, found.likelihood.eta, threshold
        )


def fit_with_trial(
    data: PartlyLabeled,
    settings: Settings,
    options: TrialOptions,
    *,
    seed: int = 0,
    compute: Compute | None = None,
    checkpoint: Path | None = None,
    watch: Sequence[int] = (),
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> Outcome:
    """Hide labels, weigh the candidates, and train those with weight on all labels.

    With a `checkpoint`, a folder, everything that is done is kept there, and an interrupted fit goes on.
    """
    with isolated_random_state(seed):
        trial = begin_trial(
            data,
            settings,
            options,
            seed=seed,
            compute=compute or choose_compute(),
            checkpoint=checkpoint,
            watch=watch,
            on_progress=on_progress,
        )
        return ship(trial, judge(trial))


def judge(trial: Trial) -> Findings:
    """Hide labels, and fit the likelihood of the hidden ones."""
    data = trial.task.data
    none = torch.zeros(len(data), dtype=torch.bool)
    if not trial.folds:
        return Findings(likelihood=without_hidden_labels(belief_in(trial.candidates)), issues=none)
    hidden = trial.hide()
    likelihood, cross_fitted = hidden.fit(), hidden.cross_fitted()
    posterior = label_posterior(likelihood.blend(hidden.of()), hidden.given, likelihood.eta)
    issues = none.index_copy(0, hidden.rows, find_issues(posterior, hidden.given))
    return Findings(
        likelihood=likelihood,
        issues=issues if data.gold is None else issues & ~data.gold,
        hidden=hidden,
        posterior=posterior,
        cross_fitted=cross_fitted,
        certificate=certify(trial, hidden, cross_fitted, likelihood),
    )


def ship(trial: Trial, found: Findings) -> Outcome:
    """The members with weight, trained on all labels, as one model; and what it says of every row."""
    weights = dict(zip(trial.candidates, found.likelihood.weights.tolist(), strict=True))
    temperatures = dict(zip(trial.candidates, found.likelihood.temperature.tolist(), strict=True))
    shipped = [name for name, weight in weights.items() if weight >= NEAR_ZERO]
    if found.certificate is not None and found.certificate.shipped != BLEND:
        shipped = [found.certificate.shipped]
    source = max((name for name in trial.candidates if name in CCPS), key=lambda name: weights[name])
    doubted = found.issues if trial.options.trust_labels == "auto" else None
    members = {name: trial.learn(name, doubted) for name in dict.fromkeys([*shipped, source])}
    model = Blend(
        {name: members[name].model for name in shipped},
        torch.tensor([temperatures[name] for name in shipped]),
        torch.tensor([weights[name] for name in shipped]),
        placing=source if source in shipped else shipped[0],
    )
    probability = predict_logits(model, trial.task.data.x).double().softmax(dim=1)
    if found.hidden is not None and found.posterior is not None:
        probability = probability.index_copy(0, found.hidden.rows, found.posterior)
    result = members[source].result
    assert result is not None
    settings = replace(trial.task.settings, trust_labels=source == "ccp")
    return Outcome(
        model=model,
        source=source,
        result=result,
        settings=settings,
        probability=probability,
        findings=found,
    )
