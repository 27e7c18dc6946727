"""Example runs for the report: evidence of any size and kind, without training."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from credprop.report import Evidence

HOSTILE = "<script>alert(1)</script>"


def make_evidence(
    n: int = 40,
    classes: Sequence[str] = ("cat", "dog", "eel"),
    *,
    kind: str = "vectors",
    share: float = 0.5,
    issues: bool = True,
    epochs: int = 3,
    **other: Any,
) -> Evidence:
    """A run over n samples around k centers; one in ten is an outlier, one given label in five wrong."""
    rng, k = np.random.default_rng(0), len(classes)
    truth = np.where(np.arange(n) % 10 == 9, -1, np.arange(n) % k)
    given = np.where((np.arange(n) < share * n) & (truth >= 0), truth, -1)
    wrong = (given >= 0) & (np.arange(n) % 5 == 3) & issues
    given = np.where(wrong, (given + 1) % k, given)
    z = rng.normal(size=(k + 1, 8))[truth] + 0.3 * rng.normal(size=(n, 8))
    q = np.eye(k + 1)[truth][:, :k] * rng.uniform(0.2, 1, size=(n, 1))
    suggested = np.where(given[:, None] >= 0, q * 0.5, 0.0)
    fields: dict[str, Any] = {
        "title": "animals.csv",
        "kind": kind,
        "classes": classes,
        "given": given,
        "q": q,
        "frame": make_frame(classes, given, q, wrong, outlier=(truth < 0) & issues),
        "codes": codes_of(other.get("q", q)),
        "suggested": suggested,
        "embedding": z,
        "x": make_samples(kind, z),
        "texts": make_texts(n) if kind == "text" else None,
        "columns": (),
        "history": make_history(q, epochs),
        "tracked": list(range(min(3, n))),
        "truth": None,
        "metrics": {"rows": n, "seconds": 12.3, "test_accuracy": None},
        "settings": {"seed": 0, "refine": {"epochs": 3, "lr": 0.06}, "projector": [128]},
        "command": "credprop fit animals.csv --label species --out RUN",
        "version": "0.1.0",
    }
    return Evidence(**(fields | other))


def codes_of(q: np.ndarray) -> np.ndarray:
    """Code of the most credible class of each sample, -1 without any credibility."""
    return np.where(q.max(axis=1) > 0, q.argmax(axis=1), -1)


def make_frame(
    classes: Sequence[str], given: np.ndarray, q: np.ndarray, wrong: np.ndarray, outlier: np.ndarray
) -> pd.DataFrame:
    """The columns of labels.csv."""
    names, strength, refined = np.array([*classes, ""], dtype=object), q.max(axis=1), codes_of(q)
    confidence = np.where(refined >= 0, strength + (1 - strength) / len(classes), 0)
    rules = [wrong, outlier, confidence < 0.5, confidence >= 0.9]
    verdict = np.select(rules, ["relabel", "outlier", "ambiguous", "trust"], "check")
    own = np.take_along_axis(q, np.maximum(given, 0)[:, None], axis=1)[:, 0]
    return pd.DataFrame(
        {
            "id": [f"row {i}" for i in range(len(given))],
            "given_label": names[given],
            "refined_label": names[refined],
            "credibility": strength,
            "confidence": confidence,
            "verdict": verdict,
            "is_label_issue": wrong,
            "label_quality": np.where(given >= 0, own, np.nan),
            "is_outlier_issue": outlier,
            "outlier_score": 1 - strength,
            "labeled_iter": np.where(given >= 0, 0, np.where(refined >= 0, 1, -1)),
        }
    )


def make_samples(kind: str, z: np.ndarray) -> Any:
    """Raw samples of this kind."""
    if kind == "images":
        return (255 * np.abs(np.sin(z[:, :1, None, None] * np.arange(64).reshape(8, 8, 1)))).astype(np.uint8)
    return z


def make_texts(n: int) -> list[str]:
    """Texts that a careless page would run."""
    return [f"It was a dark and stormy night, number {i}, and {HOSTILE} & so on." for i in range(n)]


def make_history(q: np.ndarray, epochs: int) -> list[dict[str, Any]]:
    """A pretraining, two iterations and a classifier of so many epochs each."""
    rows: list[dict[str, Any]] = []
    for stage, iteration in (("pretrain", 0), ("refine", 1), ("refine", 2), ("build", 0)):
        for epoch in range(1, epochs + 1):
            row = {"stage": stage, "iteration": iteration, "epoch": epoch, "loss": 5 / epoch, "lr": 0.06}
            rows.append(row | ({"watched": (q[:3] * epoch / epochs).tolist()} if stage == "refine" else {}))
        if stage == "refine" and epochs:
            rows[-1] |= _end(q, iteration)
    return rows


def _end(q: np.ndarray, iteration: int) -> Mapping[str, Any]:
    strength = q.max(axis=1)
    return {
        "p": 30 // iteration,
        "kl": 0.004 / iteration,
        "d_max": 0.01 / iteration,
        "strength": float(strength.mean()),
        "labeled": int((strength > 0).sum()),
        "pseudo_label_accuracy": None,
    }
