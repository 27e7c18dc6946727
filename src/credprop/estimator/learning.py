"""What a fit sets: networks and labels, by a trial or by CCP alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from jaxtyping import Float
from torch import Tensor

from credprop.ccp import Result, train
from credprop.data import LabelCodes
from credprop.estimator.fit_inputs import FitInputs
from credprop.estimator.outliers import outlier_scores
from credprop.estimator.refined import Refined
from credprop.networks import Blend
from credprop.training import embed
from credprop.trial import Outcome, fit_with_trial

if TYPE_CHECKING:
    from credprop.estimator.classifier import CCPClassifier

CCP = "ccp"


def learn(classifier: "CCPClassifier", inputs: FitInputs) -> Float[Tensor, "n d"]:
    """Set what a classifier learns from prepared inputs; returns the embedding of all rows."""
    classifier.seed_, classifier.preparation_ = inputs.seed, inputs.preparation
    folder = None if classifier.checkpoint is None else Path(classifier.checkpoint)
    shared: dict[str, Any] = {
        "seed": inputs.seed,
        "compute": inputs.compute,
        "watch": classifier.watch,
        "on_progress": classifier.callback or (lambda progress: None),
    }
    outcome = None
    if inputs.trial is None or inputs.settings.build is None:
        file = None if folder is None else folder / "ccp.safetensors"
        result = train(inputs.data, inputs.settings, checkpoint=file, **shared)
        classifier.settings_, classifier.model_ = inputs.settings, Blend.of_one(CCP, result.model)
    else:
        outcome = fit_with_trial(inputs.data, inputs.settings, inputs.trial, checkpoint=folder, **shared)
        result = outcome.result
        classifier.settings_, classifier.model_ = outcome.settings, outcome.model
    classifier.n_steps_, classifier.history_ = result.steps, result.history
    classifier.n_iter_ = classifier.settings_.iterations
    classifier.certificate_ = None if outcome is None else outcome.certificate
    classifier.label_noise_ = None if outcome is None else outcome.label_noise
    embedding = embed(classifier.model_.placing, inputs.data.x)
    classifier.labeled_embedding_ = embedding[inputs.data.given].numpy()
    refined = _refined(classifier, inputs, result, outcome, embedding)
    expose(classifier, refined)
    classifier.trusted_right_ = None
    if outcome is not None:
        rows = torch.from_numpy(refined.is_confident & (refined.given < 0))
        classifier.trusted_right_ = outcome.share_right(rows, classifier.confidence)
    return embedding


def expose(classifier: "CCPClassifier", refined: Refined) -> None:
    """Set the attributes that say what is known of every sample, from `refined`."""
    classifier.refined_ = refined
    classifier.classes_ = refined.classes
    classifier.transduction_ = refined.labels
    classifier.credibility_ = refined.credibility
    classifier.confidence_ = refined.confidence
    classifier.credibility_vectors_ = refined.q
    classifier.label_distributions_ = refined.distributions
    classifier.labeled_iter_ = refined.labeled_iter
    classifier.outlier_score_ = refined.outlier_score


def _refined(
    classifier: "CCPClassifier",
    inputs: FitInputs,
    result: Result,
    outcome: Outcome | None,
    embedding: Float[Tensor, "n d"],
) -> Refined:
    """What is known of every sample."""
    codes: LabelCodes = inputs.label_codes
    tried: dict[str, Any] = {}
    if outcome is not None:
        tried = {"probability": outcome.probability.numpy(), "doubtful": outcome.findings.issues.numpy()}
    return Refined(
        classes=codes.classes,
        given=codes.codes,
        q=result.q.clamp(0, 1).numpy(),
        opinion=result.opinion.numpy(),
        outlier_score=outlier_scores(embedding, codes.codes),
        labeled_iter=result.labeled_iter.numpy(),
        unlabeled_label=classifier.unlabeled_label,
        blank=inputs.blank,
        gold=None if inputs.data.gold is None else inputs.data.gold.numpy(),
        trust_labels=inputs.settings.trust_labels if inputs.trial is None else inputs.trial.trust_labels,
        threshold=classifier.confidence,
        **tried,
    )
