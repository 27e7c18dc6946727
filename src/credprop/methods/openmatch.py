"""OpenMatch: FixMatch on samples that one-vs-all classifiers accept as inliers."""

from dataclasses import dataclass
from typing import Self

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, logsigmoid

from credprop.data import UNLABELED, PartlyLabeled
from credprop.methods.batch import Batch
from credprop.methods.fixmatch import confident, consistency
from credprop.methods.heads import encoder_width
from credprop.networks import Model


@dataclass(frozen=True, eq=False, kw_only=True)
class OpenMatch:
    """OpenMatch: Open-set Consistency Regularization for Semi-supervised Learning with Outliers.

    Saito, Kim and Saenko 2021, arXiv:2105.14148. Every class has a one-vs-all head. FixMatch
    starts after the share `begin` of the steps, on samples accepted by the head of their predicted class.
    """

    heads: nn.Module  # two logits for each class: outside, inside
    threshold: float = 0.95
    entropy_weight: float = 0.1
    consistency_weight: float = 0.5
    begin: float = 0.2

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The authors' weights for CIFAR-10, with a new head for every class."""
        return cls(heads=nn.Linear(encoder_width(model), 2 * data.k, bias=False))

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Losses of the classifier and of the heads, and FixMatch on inliers."""
        begun = batch.progress >= self.begin
        strong = [batch.strong(batch.u)] if begun else []
        views = (batch.weak(batch.x), batch.weak(batch.u), batch.weak(batch.u), *strong)
        x, first, second, *third = batch.together(model.encoder, *views)
        a, b = self.membership(first), self.membership(second)
        entropy = (membership_entropy(a).mean() + membership_entropy(b).mean()) / 2
        losses = {
            "supervised": cross_entropy(model.classifier(x), batch.y),
            "one-vs-all": one_vs_all_loss(self.membership(x), batch.y).mean(),
            "entropy": self.entropy_weight * entropy,
            "soft consistency": self.consistency_weight * soft_consistency(a, b).mean(),
        }
        if begun:
            p = model.classifier(first).detach().softmax(dim=1)
            loss = consistency(model.classifier(third[0]), p, self.threshold)
            inlier = is_inlier(a.detach(), p)
            losses["unsupervised"] = (loss * inlier).sum() / inlier.sum().clamp(min=1)
        return losses

    def membership(self, b: Float[Tensor, "n d"]) -> Float[Tensor, "n k"]:
        """Logit of belonging to each class rather than not."""
        outside, inside = self.heads(b).chunk(2, dim=1)
        return inside - outside  # type: ignore[no-any-return]

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> Int[Tensor, " n"]:
        """The confident predictions on inliers, else -1."""
        p = model.classifier(b).softmax(dim=1)
        sure = confident(p, self.threshold)
        return torch.where(is_inlier(self.membership(b), p), sure, UNLABELED)


def is_inlier(membership: Float[Tensor, "n k"], p: Float[Tensor, "n k"]) -> Bool[Tensor, " n"]:
    """Whether the head of the predicted class accepts the sample."""
    return membership.gather(1, p.argmax(dim=1, keepdim=True))[:, 0] > 0


def one_vs_all_loss(membership: Float[Tensor, "n k"], y: Int[Tensor, " n"]) -> Float[Tensor, " n"]:
    """One-vs-all loss of labeled samples: their own class, and the hardest other class.

    l = -log p(in | y) - min_{c != y} log p(out | c)
    """
    own = -logsigmoid(membership).gather(1, y[:, None])[:, 0]
    others = -logsigmoid(-membership).scatter(1, y[:, None], 0.0)  # (n, k)
    return own + others.amax(dim=1)


def membership_entropy(membership: Float[Tensor, "n k"]) -> Float[Tensor, " n"]:
    """Mean binary entropy of membership over classes."""
    inside = membership.sigmoid()
    return -(inside * logsigmoid(membership) + (1 - inside) * logsigmoid(-membership)).mean(dim=1)


def soft_consistency(first: Float[Tensor, "n k"], second: Float[Tensor, "n k"]) -> Float[Tensor, " n"]:
    """Squared difference of the memberships of two views, over both outcomes and all classes."""
    return 2 * (first.sigmoid() - second.sigmoid()).square().sum(dim=1)
