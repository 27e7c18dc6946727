"""What became of the labels in an iteration, for the history."""

from typing import Any

from torch import Tensor

from credprop.ccp.state import State
from credprop.functional import divergence, strength


def summarize(state: State, p: int) -> dict[str, Any]:
    """Subsampling, strengths and classes that an iteration ended with; with the truth, how right it was."""
    tables, rows = state.tables, (~state.clamped).nonzero()[:, 0]
    before, after = tables.full[rows], tables.q[rows]
    s, mass = strength(before), before.sum(dim=0)
    summary: dict[str, Any] = {
        "p": p,
        "d_max": state.d_max,
        "kl": divergence(after.sum(dim=0), mass).item(),
        "class_distribution": (mass / mass.sum().clamp(min=1e-12)).tolist(),
        "strength": s.mean().item() if len(s) else 0.0,
        "labeled": int((s > 0).sum()),
    }
    if state.data.truth is None:
        return summary
    truth = state.data.truth[rows]
    known = truth >= 0  # outliers have no class to be right about
    right = (before.argmax(dim=1) == truth) & (s > 0)
    hidden = known & (state.data.labels[rows] < 0)
    return summary | {
        "pseudo_label_accuracy": _mean(right[hidden]),
        "strength_right": _mean(s[hidden & right]),
        "strength_wrong": _mean(s[hidden & ~right & (s > 0)]),
    }


def _mean(values: Tensor) -> float | None:
    return values.float().mean().item() if len(values) else None
