"""What candidates said of labels that were hidden from them, and the likelihood of these labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor

from credprop.trial.candidates import belief_in
from credprop.trial.likelihood import Belief, Likelihood, fit_likelihood


@dataclass(frozen=True, eq=False, kw_only=True)
class Hidden:
    """Log-probabilities of hidden rows by candidates, fold by fold."""

    folds: Sequence[Int[Tensor, " h"]]  # rows
    log_p: Mapping[str, Sequence[Float[Tensor, "h k"]]]
    labels: Sequence[Int[Tensor, " h"]]  # the given ones

    @property
    def rows(self) -> Int[Tensor, " h"]:
        """All rows whose label was hidden, fold by fold."""
        return torch.cat(list(self.folds))

    @property
    def given(self) -> Int[Tensor, " h"]:
        """Their labels."""
        return torch.cat(list(self.labels))

    @property
    def belief(self) -> Belief:
        """Expected weights of the candidates."""
        return belief_in(list(self.log_p))

    def of(self, folds: Sequence[int] | None = None) -> Float[Tensor, "m h k"]:
        """Log-probabilities of the rows of these folds, or of all."""
        chosen = range(len(self.folds)) if folds is None else folds
        return torch.stack([torch.cat([own[i] for i in chosen]) for own in self.log_p.values()])

    def fit(self) -> Likelihood:
        """The likelihood of all hidden labels."""
        return fit_likelihood(self.of(), self.given, self.belief)

    def cross_fitted(self) -> Float[Tensor, "h k"]:
        """The blend of every hidden row, by a likelihood that knows no label of its fold."""
        blends = []
        for fold in range(len(self.folds)):
            others = [i for i in range(len(self.folds)) if i != fold]
            if not others:  # a single fold: halves of it take turns
                return self._halves()
            labels = torch.cat([self.labels[i] for i in others])
            blends.append(fit_likelihood(self.of(others), labels, self.belief).blend(self.of([fold])))
        return torch.cat(blends)

    def _halves(self) -> Float[Tensor, "h k"]:
        log_p, labels = self.of(), self.given
        first = torch.arange(len(labels)) % 2 == 0
        b = torch.zeros_like(log_p[0], dtype=torch.float64)
        for own in (first, ~first):
            b[own] = fit_likelihood(log_p[:, ~own], labels[~own], self.belief).blend(log_p[:, own])
        return b
