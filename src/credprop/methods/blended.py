"""The default of credprop: what a trial blends of CCP, the supervised network and linear models."""

from dataclasses import dataclass

from credprop.ccp import Settings
from credprop.data import PartlyLabeled
from credprop.methods.learned import Judged, Learned, predictor
from credprop.training import Compute, predict_logits
from credprop.trial import TrialOptions, fit_with_trial

DEFAULT = TrialOptions()


@dataclass(frozen=True, kw_only=True)
class Blended:
    """A fit with a trial, as `credprop fit` does it."""

    options: TrialOptions = DEFAULT

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Hide labels, weigh the candidates, train those with weight."""
        outcome = fit_with_trial(data, settings, self.options, seed=seed, compute=compute)
        certificate = outcome.certificate
        return Learned(
            predict=predictor(outcome.model),
            pseudo_labels=outcome.probability.argmax(dim=1),
            steps=outcome.result.steps,
            samples=outcome.result.views,
            history=outcome.result.history,
            judged=Judged(
                confidence=outcome.probability.amax(dim=1),
                issues=outcome.findings.issues,
                label_noise=outcome.label_noise,
                probabilities=lambda x: predict_logits(outcome.model, x).double().softmax(dim=1),
                facts={
                    "weights": {name: round(w, 4) for name, w in outcome.model.weight_of.items()},
                    "certificate": None
                    if certificate is None
                    else [certificate.difference, certificate.low, certificate.high],
                    "shipped": None if certificate is None else certificate.shipped,
                },
            ),
        )
