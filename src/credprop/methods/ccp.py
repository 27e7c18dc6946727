"""Contrastive Credibility Propagation, with given labels clamped or refined like all others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch

from credprop.data import UNLABELED, PartlyLabeled
from credprop.functional import strength
from credprop.methods.learned import Counted, Learned, predictor
from credprop.training import Compute, Settings, train


@dataclass(frozen=True, kw_only=True)
class CCP:
    """Kutt et al., Contrastive Credibility Propagation for Reliable Semi-supervised Learning, AAAI 2024.

    arXiv:2211.09929.
    """

    trust_labels: bool = True

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """What all iterations give; `first` is a run of its own that stops refining after one."""
        settings = replace(settings, trust_labels=self.trust_labels)
        watch = spread_over(torch.nonzero(data.labels == UNLABELED)[:, 0].tolist())
        once = run_training(data, replace(settings, iterations=1), seed, compute, watch)
        if settings.iterations == 1:
            return replace(once, first=once)
        return replace(run_training(data, settings, seed, compute, watch), first=once)


def spread_over(rows: Sequence[int], most: int = 64) -> tuple[int, ...]:
    """A few of these rows, evenly spread over them."""
    few = min(most, len(rows))
    return tuple(rows[i * len(rows) // few] for i in range(few))


def run_training(
    data: PartlyLabeled,
    settings: Settings,
    seed: int,
    compute: Compute | None,
    watch: tuple[int, ...] = (),
) -> Learned:
    """A run of `credprop.training.train` with these settings; the history holds the vectors of `watch`."""
    counted = Counted(settings.augment)
    result = train(data, replace(settings, augment=counted), seed=seed, compute=compute, watch=watch)
    known = strength(result.q) > 0
    return Learned(
        predict=predictor(result.model),
        pseudo_labels=torch.where(known, result.q.argmax(dim=1), UNLABELED),
        steps=result.steps,
        samples=counted.views,
        history=result.history,
        watched=watch,
    )
