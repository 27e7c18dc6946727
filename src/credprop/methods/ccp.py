"""Contrastive Credibility Propagation, as the preset has it or as in the paper."""

from dataclasses import dataclass, replace

import torch

from credprop.ccp import Additions, Result, Settings, train
from credprop.data import UNLABELED, PartlyLabeled
from credprop.functional import strength
from credprop.methods.learned import Learned, predictor
from credprop.training import Compute
from credprop.training.subsets import evenly

_WATCHED = 64  # maximum number of unlabeled rows tracked in the history


@dataclass(frozen=True, kw_only=True)
class CCP:
    """Kutt et al., Contrastive Credibility Propagation for Reliable Semi-supervised Learning, AAAI 2024.

    arXiv:2211.09929.
    """

    trust_labels: bool = True  # given labels are clamped, else refined like all others
    additions: Additions | None = None  # None: those of the preset; PAPER: Algorithm 1 and nothing else

    def __call__(
        self, data: PartlyLabeled, settings: Settings, seed: int, *, compute: Compute | None = None
    ) -> Learned:
        """Train with all iterations; `first` is the result after the first one only."""
        additions = settings.additions if self.additions is None else self.additions
        settings = replace(settings, trust_labels=self.trust_labels, additions=additions)
        watch = tuple(evenly(torch.nonzero(data.labels == UNLABELED)[:, 0], _WATCHED).tolist())
        return run_training(data, settings, seed, compute, watch, first_too=True)


def run_training(
    data: PartlyLabeled,
    settings: Settings,
    seed: int,
    compute: Compute | None,
    watch: tuple[int, ...] = (),
    first_too: bool = False,
) -> Learned:
    """Run `credprop.ccp.train` with these settings; the history holds the credibility of the rows `watch`."""
    result = train(data, settings, seed=seed, compute=compute, watch=watch, first_too=first_too)
    first = None if result.first is None else _learned(result.first, watch)
    return replace(_learned(result, watch), first=first)


def _learned(result: Result, watch: tuple[int, ...]) -> Learned:
    known = strength(result.q) > 0
    pseudo_labels = torch.where(known, result.q.argmax(dim=1), UNLABELED)
    return Learned(
        predict=predictor(result.model),
        pseudo_labels=pseudo_labels,
        steps=result.steps,
        samples=result.views,
        history=result.history,
        watched=watch,
    )
