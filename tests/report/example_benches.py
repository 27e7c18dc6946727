"""Example benches: rows for any methods, cells and seeds, with plausible numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

METHODS = (
    *("supervised", "ccp-alone", "ccp-untrusted", "ccp", "fixmatch", "fixmatch-da", "comatch", "openmatch"),
    *("acr", "simclr", "supcon", "cclp", "seal", "pseudo-label", "logistic", "label-spreading"),
    *("self-training", "control"),
)
ABLATIONS = (
    *("ccp-no-subsampling", "ccp-classification-loss-only", "ccp-no-reset", "ccp-subsample-final"),
    *("ccp-no-pretraining", "ccp-no-squaring", "ccp-no-balancing", "ccp-no-slowing", "ccp-no-settling"),
    *("ccp-no-second-opinion", "ccp-dmax-0.001", "ccp-dmax-0.1", "ccp-dmax-0.1-constant"),
)
VARIABLES = ("few-label", "open-set", "noisy-label", "imbalanced-unlabeled", "imbalanced-labeled")
CELLS = ("base", *(f"{name}-{i}" for name in VARIABLES for i in (1, 2, 3)))
ABOUT = {
    "training rows": 1258,
    "data": "0f3a" * 16,
    "preset": "auto",
    "cells": {cell: {"labels": 80, "unlabeled": 423, "wrong": 0} for cell in CELLS},
    "versions": {"credprop": "0.1.0", "torch": "2.13.0", "numpy": "2.4.0", "python": "3.12.3"},
    "commands": ["credprop bench --data digits --method all --scenario all --seeds 3 --jobs 2 --out DIR"],
}
_HARM = {"few-label": 0.09, "open-set": 0.02, "noisy-label": 0.13, "imbalanced-unlabeled": 0.015}


def make_rows(
    methods: Sequence[str] = METHODS, cells: Sequence[str] = CELLS, seeds: int = 3, data: str = "digits"
) -> list[dict[str, Any]]:
    """One row per run; every number depends only on the names and the seed."""
    return [make_row(m, cell, seed, data=data) for m in methods for cell in cells for seed in range(seeds)]


def make_row(method: str, cell: str, seed: int = 0, **more: Any) -> dict[str, Any]:
    """One run, with the history of its iterations if it is a variant of CCP."""
    name, _, severity = cell.rpartition("-")
    scenario, step = (name, int(severity)) if name and severity.isdigit() else (cell, 0)
    rng = np.random.default_rng([seed, *f"{method}{cell}".encode()])
    accuracy = _accuracy(method, scenario, step) + 0.008 * rng.normal()
    iterates = method.startswith("ccp") or method == "seal"
    row = {
        "data": "digits",
        "scenario": scenario,
        "severity": step,
        "method": method,
        "seed": seed,
        "accuracy": float(min(accuracy, 1.0)),
        "seconds": {"logistic": 0.1, "label-spreading": 0.05, "supervised": 3.0}.get(
            method, 4.0 + sum(method.encode()) % 17
        )
        + seed,
        "pseudo_label_accuracy": float(min(accuracy - 0.01, 1.0)) if iterates else None,
        "first_accuracy": float(min(accuracy + 0.002 * step, 1.0)) if method in METHODS[1:3] else None,
        "first_pseudo_label_accuracy": None,
        "steps": 1160,
        "samples": 559_120,
        "history": _history(method, accuracy, rng) if iterates else [],
        "watched": _watched(scenario, rng) if method in METHODS[1:3] else None,
        "judged": None,
        "error": None,
    }
    return row | more


def _accuracy(method: str, scenario: str, step: int) -> float:
    harm = _HARM.get(scenario, 0.06) * step
    worth = {
        "ccp": 0.3,
        "ccp-alone": 0.4,
        "ccp-untrusted": 0.35,
        "supervised": 1.0,
        "control": 0.0,
        "logistic": 1.05,
    }
    start = 0.99 if method == "control" else 0.95 + 0.002 * (sum(method.encode()) % 13)
    return start - worth.get(method, 0.5 + sum(f"{method}{scenario}".encode()) % 11 / 12) * harm


def _history(method: str, accuracy: float, rng: np.random.Generator) -> list[dict[str, Any]]:
    soft, p = method == "seal", 60
    rows = []
    for m in range(1, 7):
        right = accuracy - 0.08 / m - (0.05 * m if soft else 0) + 0.004 * rng.normal()
        bound = 0.01 / 2 ** (m - 1)
        p = 0 if soft or method == "ccp-no-subsampling" else max(0, p - int(rng.integers(5, 16)))
        rows.append(
            {
                "iteration": m,
                "pseudo_label_accuracy": float(min(right, 1.0)),
                "strength_right": 0.6 - 0.06 * m if soft else 0.7 + 0.04 * m,
                "strength_wrong": 0.5 - 0.05 * m if soft else 0.1 + 0.03 * m,
                "p": p,
                "kl": 0.8 * bound,
                "d_max": bound,
            }
        )
    return rows


def _watched(scenario: str, rng: np.random.Generator) -> dict[str, Any]:
    iterations = [1] * 30 + [2] * 30
    samples = []
    for kind in ("wrong", "wrong", "right", *(["outlier"] if scenario == "open-set" else [])):
        spread, level = (0.15, 0.0) if kind != "right" else (0.04, 0.3)
        own = np.round(level + spread * rng.normal(size=60), 3)
        samples.append({"kind": kind, "own": own.tolist(), "other": (-own - 0.05).round(3).tolist()})
    variance = [{"iteration": m, "epochs": 30, "single": 0.004 / m, "mean": 0.0004 / m} for m in range(1, 7)]
    return {"iterations": iterations, "samples": samples, "variance": variance}
