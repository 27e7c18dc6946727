"""The content of the report as one JSON dictionary of bounded size."""

from typing import Any

import numpy as np

from credprop.report.evidence import Evidence, flag, number, propagated, refined
from credprop.report.formatting import clean, plain, rounded, shorten
from credprop.report.projection import choose_points, two_dimensions
from credprop.report.samples import Shown, glimpse, sample_viewer
from credprop.report.timeline import agreement, iterations, losses, trajectories
from credprop.report.verdict import findings, judge

FORMAT = 2  # of report.json; changes when older pages could not be drawn any more
VERDICTS = ("trust", "check", "relabel", "outlier", "ambiguous")
_CARDS = 24
_BARS = 30  # classes with a bar of their own; the others share one
_BINS = 20
_NAME = 200  # characters


def make_content(evidence: Evidence) -> dict[str, Any]:
    """Everything that is needed to draw the page."""
    show = sample_viewer(evidence)
    content = {
        "format": FORMAT,
        "title": evidence.title,
        "kind": evidence.kind,
        "version": evidence.version,
        "command": evidence.command,
        "settings": evidence.settings,
        "metrics": evidence.metrics,
        "summary": _summary(evidence),
        "classes": [_name(name) for name in evidence.classes],
        "verdict": judge(plain(evidence.metrics)) | {"findings": findings(evidence)},
        "distribution": distribution(evidence),
        "strengths": strengths(evidence),
        "losses": losses(evidence.history),
        "iterations": iterations(evidence.history, propagated(evidence)),
        "agreement": agreement(evidence.history),
        "map": embedding_map(evidence),
        "issues": [_issue(evidence, i) | show(i) for i in _worst_labels(evidence)],
        "outliers": [_outlier(evidence, i) | show(i) for i in _likeliest_outliers(evidence)],
        "watched": [
            _describe(evidence, row) | glimpse(evidence, row) | {"lines": t["lines"], "starts": t["starts"]}
            for t in trajectories(evidence.history, evidence.given[list(evidence.tracked)])
            for row in [evidence.tracked[t["position"]]]
        ],
    }
    result: dict[str, Any] = plain(content)
    return result


def _summary(evidence: Evidence) -> dict[str, Any]:
    return {
        "rows": len(evidence),
        "labeled": int((evidence.given >= 0).sum()),
        "classes": len(evidence.classes),
        "seconds": evidence.metrics.get("seconds"),
        "truth": evidence.truth is not None,
        "issues": int(flag(evidence, "is_label_issue").sum()),
        "outliers": int(flag(evidence, "is_outlier_issue").sum()),
    }


def distribution(evidence: Evidence) -> dict[str, Any]:
    """Number of samples of each class by given and refined labels, and by true labels if known."""
    k, codes = len(evidence.classes), refined(evidence)
    given, after = _count(evidence.given, k), _count(codes, k)
    truth = None if evidence.truth is None else _count(evidence.truth, k)
    weight = given / max(1, given.sum()) + after / max(1, after.sum())
    shown = np.arange(k) if k <= _BARS else np.sort(np.argsort(-weight, kind="stable")[:_BARS])
    groups = [(_name(evidence.classes[c]), np.array([c])) for c in shown]
    if k > len(shown):
        groups.append((f"{k - len(shown)} others", np.setdiff1d(np.arange(k), shown)))
    columns = {"given": given, "refined": after} | ({} if truth is None else {"truth": truth})
    return {
        "rows": [
            {"name": name, "classes": len(of)} | {key: v[of].sum() for key, v in columns.items()}
            for name, of in groups
        ],
        "totals": {key: v.sum() for key, v in columns.items()},
        "none": int((codes < 0).sum()),
    }


def _count(codes: np.ndarray, k: int) -> np.ndarray:
    return np.bincount(codes[codes >= 0], minlength=k)


def strengths(evidence: Evidence) -> dict[str, Any]:
    """Histograms of credibility by verdict, and by correctness if true labels are known."""
    strength = np.nan_to_num(number(evidence, "credibility"))
    positive = strength > 0
    verdict = evidence.frame["verdict"].astype(str).to_numpy()
    result: dict[str, Any] = {
        "bins": _BINS,
        "zero": int((~positive).sum()),
        "verdicts": {name: _histogram(strength[positive & (verdict == name)]) for name in VERDICTS},
        "truth": None,
    }
    if evidence.truth is not None:
        outlier, right = evidence.truth < 0, refined(evidence) == evidence.truth
        result["truth"] = {
            "right": _histogram(strength[positive & ~outlier & right]),
            "wrong": _histogram(strength[positive & ~outlier & ~right]),
            "of no class": _histogram(strength[positive & outlier]),
        }
    return result


def _histogram(values: np.ndarray) -> list[int]:
    counts: list[int] = np.histogram(values, bins=_BINS, range=(0, 1))[0].tolist()
    return counts


def embedding_map(evidence: Evidence) -> dict[str, Any]:
    """Positions of the samples in two dimensions, with the text shown on hover."""
    index = choose_points(evidence)
    position, method = two_dimensions(evidence.embedding[index])
    issue, outlier = flag(evidence, "is_label_issue"), flag(evidence, "is_outlier_issue")
    truth = evidence.truth
    return {
        "method": method,
        "total": len(evidence),
        "x": rounded(position[:, 0], 3),
        "y": rounded(position[:, 1], 3),
        "id": [_id(evidence, i) for i in index],
        "given": evidence.given[index].tolist(),
        "refined": refined(evidence)[index].tolist(),
        "truth": None if truth is None else truth[index].tolist(),
        "credibility": rounded(np.nan_to_num(number(evidence, "credibility")[index]), 3),
        "verdict": evidence.frame["verdict"].iloc[index].astype(str).tolist(),
        "mark": np.where(issue, 1, np.where(outlier, 2, 0))[index].tolist(),
        "score": rounded(number(evidence, "outlier_score")[index], 3),
        "text": None if evidence.texts is None else [glimpse(evidence, i)["text"] for i in index],
    }


def _worst_labels(evidence: Evidence) -> list[int]:
    quality = np.nan_to_num(number(evidence, "label_quality"), nan=1.0)
    return _first(flag(evidence, "is_label_issue"), quality)


def _likeliest_outliers(evidence: Evidence) -> list[int]:
    score = np.nan_to_num(number(evidence, "outlier_score"))
    return _first(flag(evidence, "is_outlier_issue"), -score)


def _first(flagged: np.ndarray, order: np.ndarray) -> list[int]:
    rows = np.flatnonzero(flagged)
    best: list[int] = rows[np.argsort(order[rows], kind="stable")][:_CARDS].tolist()
    return best


def _issue(evidence: Evidence, i: int) -> Shown:
    """A label issue: the given label and the class that is suggested instead."""
    suggested = np.nan_to_num(evidence.suggested[i])
    says = int(suggested.argmax())
    return _describe(evidence, i) | {
        "says": _class(evidence, says) if suggested[says] > 0 else None,
        "support": suggested[says],
        "quality": number(evidence, "label_quality")[i],
    }


def _outlier(evidence: Evidence, i: int) -> Shown:
    """A sample that belongs to no class."""
    return _describe(evidence, i) | {"score": number(evidence, "outlier_score")[i]}


def _describe(evidence: Evidence, i: int) -> Shown:
    """The labels, verdict and credibility of a sample."""
    return {
        "id": _id(evidence, i),
        "given": _class(evidence, evidence.given[i]),
        "refined": _class(evidence, int(refined(evidence, [i])[0])),
        "truth": None if evidence.truth is None else _class(evidence, evidence.truth[i]) or "no class",
        "verdict": str(evidence.frame["verdict"].iloc[i]),
        "credibility": number(evidence, "credibility")[i],
    }


def _id(evidence: Evidence, i: int) -> str:
    return shorten(clean(evidence.frame["id"].iloc[i]), 60)


def _class(evidence: Evidence, code: int) -> str | None:
    return _name(evidence.classes[code]) if code >= 0 else None


def _name(name: object) -> str:
    return shorten(clean(name), _NAME) or "(empty)"
