"""ACR: pseudo-labels adjusted to the class distribution of the unlabeled data."""

from dataclasses import dataclass
from typing import Self

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from credprop.data import PartlyLabeled
from credprop.methods.alignment import class_distribution
from credprop.methods.batch import Batch
from credprop.methods.fixmatch import confident
from credprop.methods.heads import another_classifier
from credprop.networks import Model

_RAREST = 1e-6  # minimum share of a class


@dataclass(eq=False, kw_only=True)
class ACR:
    """Wei and Gan, Towards Realistic Long-Tailed Semi-Supervised Learning: Consistency Is All You Need.

    CVPR 2023. Two classifiers share the encoder: a standard one for pseudo-labels, and a balanced one for
    predictions (the classifier of the model). Logits are adjusted by a multiple of the log label
    distribution; for the standard classifier's pseudo-labels, the multiple depends on how similar the class
    distributions of labeled and unlabeled data are.
    """

    standard: nn.Module  # the standard classifier
    prior: Float[Tensor, " k"]  # class distribution of the given labels
    estimate: Float[Tensor, " k"]  # estimated class distribution of the unlabeled samples
    threshold: float = 0.95
    most: float = 2.0  # largest multiple
    decay: float = 0.99  # of the estimate
    begin: float = 0.01  # share of the steps before estimation starts

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The authors' settings, with a uniform estimate for the unlabeled samples."""
        prior = class_distribution(data.labels, data.k).to(model.mean.device)
        uniform = torch.full_like(prior, 1 / data.k)
        return cls(standard=another_classifier(model), prior=prior, estimate=uniform)

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Losses of both classifiers, on labels and on pseudo-labels."""
        x, u = batch.weak(batch.x), batch.u
        views = (x, batch.weak(u), batch.strong(u), batch.strong(u))
        b_x, b_weak, *b_strong = batch.together(model.encoder, *views)
        strong = torch.cat(b_strong)  # (2u, d)
        plain, balanced = self.standard(b_weak).detach(), model.classifier(b_weak).detach()
        if batch.progress >= self.begin:
            self._update_estimate(balanced)
        adapted, full = (adjusted(plain, self.prior, m) for m in (self.multiple(batch.progress), self.most))
        adjustment = self.most * self.prior.log()
        return {
            "supervised": cross_entropy(self.standard(b_x), batch.y),
            "balanced": cross_entropy(model.classifier(b_x) + adjustment, batch.y),
            "unsupervised": self._consistency(self.standard(strong), adapted, plain),
            "balanced unsupervised": self._consistency(model.classifier(strong), full, balanced),
        }

    def multiple(self, progress: float) -> float:
        """The multiple of the log prior subtracted for the standard classifier's pseudo-labels."""
        if progress < self.begin:
            return self.most
        return self.most * unlikeness(self.estimate, self.prior)

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> Int[Tensor, " n"]:
        """The confident predictions of the fully adjusted standard classifier, else -1."""
        logits = adjusted(self.standard(b), self.prior, self.most)
        return confident(logits.softmax(dim=1), self.threshold)

    def _update_estimate(self, logits: Float[Tensor, "n k"]) -> None:
        """Update the estimate with the balanced classifier's confident predictions."""
        p = logits.softmax(dim=1)
        sure = p.argmax(dim=1)[p.amax(dim=1) >= self.threshold]
        if len(sure):
            share = torch.bincount(sure, minlength=len(self.prior)) / len(sure)
            self.estimate = self.decay * self.estimate + (1 - self.decay) * share

    def _consistency(
        self,
        strong: Float[Tensor, "two_n k"],
        pseudo: Float[Tensor, "n k"],
        other: Float[Tensor, "n k"],
    ) -> Float[Tensor, ""]:
        """Loss of two strong views on pseudo-labels, where these or the other logits are confident."""
        sure = torch.maximum(*(logits.softmax(dim=1).amax(dim=1) for logits in (pseudo, other)))
        loss = cross_entropy(strong, pseudo.argmax(dim=1).repeat(2), reduction="none")
        return (loss * (sure >= self.threshold).repeat(2)).mean()


def adjusted(
    logits: Float[Tensor, "n k"], prior: Float[Tensor, " k"], multiple: float
) -> Float[Tensor, "n k"]:
    """Logits minus a multiple of the log prior; a uniform prior changes no probability."""
    return logits - multiple * prior.log()


def unlikeness(estimate: Float[Tensor, " k"], prior: Float[Tensor, " k"]) -> float:
    """Distance of the estimate from the prior relative to a uniform and the reversed prior, in (0, 1).

    The softmax over the distances to all three. In the reversed prior, the most frequent class has the share
    of the rarest, and so on.
    """
    order = prior.argsort(descending=True, stable=True)
    reverse = torch.empty_like(prior)
    reverse[order] = prior[order].flip(0)
    anchors = (prior, torch.full_like(prior, 1 / len(prior)), reverse)
    distances = torch.stack([symmetric_divergence(estimate, anchor) for anchor in anchors])
    return distances.softmax(dim=0)[0].item()


def symmetric_divergence(p: Float[Tensor, " k"], q: Float[Tensor, " k"]) -> Float[Tensor, ""]:
    """Mean of both KL divergences between two distributions, with shares clamped to at least 1e-6."""
    p, q = p.clamp(min=_RAREST), q.clamp(min=_RAREST)
    return ((p - q) * (p.log() - q.log())).sum() / 2
