"""CoMatch: class probabilities and embeddings that regularize each other through graphs."""

from collections import deque
from dataclasses import dataclass, field
from typing import Self

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import cross_entropy, normalize, one_hot

from credprop.data import PartlyLabeled
from credprop.methods.alignment import RunningMarginal, align
from credprop.methods.batch import Batch
from credprop.methods.fixmatch import confident
from credprop.networks import Model


@dataclass(frozen=True, eq=False, kw_only=True)
class CoMatch:
    """Li, Xiong and Hoi, CoMatch: Semi-supervised Learning with Contrastive Graph Regularization, 2021.

    arXiv:2011.11183. Pseudo-labels are aligned with a uniform class distribution and smoothed with those of
    similar embeddings in a memory of recent batches. Strong views of samples with similar pseudo-labels
    attract each other.
    """

    threshold: float = 0.95
    graph_threshold: float = 0.8
    temperature: float = 0.2
    own: float = 0.9  # weight of the sample's own prediction relative to the memory
    weight: float = 1.0
    graph_weight: float = 1.0
    marginal: RunningMarginal = field(default_factory=lambda: RunningMarginal(batches=32))
    memory: deque[tuple[Tensor, Tensor]] = field(default_factory=lambda: deque(maxlen=5))

    @classmethod
    def start(cls, model: Model, data: PartlyLabeled) -> Self:
        """The authors' settings for CIFAR."""
        return cls()

    def __call__(self, model: Model, batch: Batch) -> dict[str, Tensor]:
        """Supervised loss, loss on smoothed pseudo-labels, and contrastive loss along the graph."""
        x, u = batch.weak(batch.x), batch.u
        views = (x, batch.weak(u), batch.strong(u), batch.strong(u))
        b_x, b_weak, b_strong, b_other = batch.together(model.encoder, *views)
        labeled, strong = model.classifier(b_x), model.classifier(b_strong)
        first, second = _embed(model, b_strong), _embed(model, b_other)
        with torch.no_grad():
            p, z = model.classifier(b_weak).softmax(dim=1), _embed(model, b_weak)
            aligned = self._align(p, self.marginal.update(p))
            smooth = self._smooth(aligned, z)
            true = one_hot(batch.y, p.shape[1]).to(p.dtype)
            self.memory.append((torch.cat([z, _embed(model, b_x)]), torch.cat([aligned, true])))
            graph = pseudo_label_graph(smooth, self.graph_threshold)
        sure = smooth.amax(dim=1) >= self.threshold
        unsupervised = cross_entropy(strong, smooth, reduction="none") * sure
        contrast = graph_contrast(first / self.temperature @ second.T, graph)
        return {
            "supervised": cross_entropy(labeled, batch.y),
            "unsupervised": self.weight * unsupervised.mean(),
            "contrastive": self.graph_weight * contrast.mean(),
        }

    def guess(self, model: Model, b: Float[Tensor, "n d"]) -> Int[Tensor, " n"]:
        """The confident smoothed predictions, else -1."""
        p = self._align(model.classifier(b).softmax(dim=1), self.marginal.mean())
        return confident(self._smooth(p, _embed(model, b)), self.threshold)

    def _align(self, p: Float[Tensor, "n k"], mean: Float[Tensor, " k"]) -> Float[Tensor, "n k"]:
        """Predictions aligned with a uniform class distribution."""
        return align(p, torch.full_like(mean, 1 / len(mean)), mean)

    def _smooth(self, p: Float[Tensor, "n k"], z: Float[Tensor, "n d"]) -> Float[Tensor, "n k"]:
        """Predictions averaged with those of similar samples in the memory, once it is full."""
        if len(self.memory) < (self.memory.maxlen or 0):
            return p
        embeddings, labels = (torch.cat(part) for part in zip(*self.memory, strict=True))
        return self.own * p + (1 - self.own) * recall(z / self.temperature, embeddings, labels)


def recall(
    z: Float[Tensor, "n d"], embeddings: Float[Tensor, "m d"], labels: Float[Tensor, "m k"]
) -> Float[Tensor, "n k"]:
    """Labels in the memory weighted by similarity of embeddings: softmax(z @ embeddings.T) @ labels.

    In chunks of rows: the whole (n, m) matrix at once is twice as slow.
    """
    columns = embeddings.T.contiguous()
    return torch.cat([(rows @ columns).softmax(dim=1) @ labels for rows in z.split(64)])


def pseudo_label_graph(p: Float[Tensor, "n k"], threshold: float) -> Float[Tensor, "n n"]:
    """Edges between samples with similar pseudo-labels, and self-loops; rows sum to one.

    w_ij = <p_i, p_j> if at least the threshold, else 0;   w_ii = 1
    """
    agreement = p @ p.T
    weight = agreement.where(agreement >= threshold, 0).fill_diagonal_(1)
    return weight / weight.sum(dim=1, keepdim=True)


def graph_contrast(similarity: Float[Tensor, "n n"], graph: Float[Tensor, "n n"]) -> Float[Tensor, " n"]:
    """Cross-entropy of each row of the pseudo-label graph with the embedding graph, softmax(similarity)."""
    return -(graph * similarity.log_softmax(dim=1)).sum(dim=1)


def _embed(model: Model, b: Float[Tensor, "n d"]) -> Float[Tensor, "n e"]:
    """Normalized embeddings."""
    return normalize(model.projector(b), dim=1)
