"""The verdict: whether CCP beats the supervised baseline, and what was found in the data."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from credprop.report.certified import certified, conclusion
from credprop.report.evidence import Evidence, flag, number, refined
from credprop.report.formatting import percent, several

_BASELINES = {"supervised": "supervised baseline", "linear": "linear model"}
_HOW = (
    "To compare, put some labeled rows into a separate file and rerun with `--test FILE`: these rows are "
    "used only once, after training, to measure both classifiers."
)


def judge(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """The result on held-out rows: a tone, a headline, sentences, and accuracies to draw as bars."""
    ccp, supervised = metrics.get("test_accuracy"), metrics.get("test_accuracy_supervised")
    if ccp is not None:
        found = _uncompared(ccp) if supervised is None else _tested(ccp, supervised)
        return found | {"sentences": [*found["sentences"], *certified(metrics)]}
    return _unknown() if metrics.get("certificate") is None else _certified(metrics)


def _certified(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """The verdict of the trial."""
    certificate = metrics["certificate"]
    tone = "ahead" if certificate["proven"] else "behind" if certificate["high"] < 0 else "level"
    _, *sentences = certified(metrics)  # the first is the headline
    sentences.append(certificate["note"])
    name, score = certificate["baseline"], certificate[certificate["baseline"]]
    verdict = _verdict(tone, conclusion(certificate).rstrip("."), sentences)
    return verdict | {"bars": _bars({"CCP": certificate["ccp"], _BASELINES[name]: score})}


def _tested(ccp: float, supervised: float) -> dict[str, Any]:
    difference = round(100 * (ccp - supervised), 1)
    sentence = (
        f"Accuracy on held-out rows: CCP {percent(ccp)}, supervised baseline {percent(supervised)} "
        "(the same network, trained on the given labels only)."
    )
    if difference == 0:
        return _verdict("level", "As good as the supervised baseline", [sentence], ccp, supervised)
    tone = "ahead" if difference > 0 else "behind"
    sentences = [sentence]
    if tone == "behind":
        sentences.append(
            "Prefer the supervised baseline; the label issues and outliers below may still be useful."
        )
    return _verdict(tone, _headline(difference), sentences, ccp, supervised)


def _headline(difference: float) -> str:
    size = f"{abs(difference):.1f} point{'' if abs(difference) == 1 else 's'}"
    return f"{size} {'better' if difference > 0 else 'worse'} than the supervised baseline"


def _uncompared(ccp: float) -> dict[str, Any]:
    sentence = f"Accuracy of CCP on held-out rows: {percent(ccp)}; the supervised baseline was not measured."
    return _verdict("unknown", "Not compared with the supervised baseline", [sentence], ccp, None)


def _unknown() -> dict[str, Any]:
    sentences = [
        "No rows were held out, so there is no evidence that CCP beats the supervised baseline.",
        _HOW,
    ]
    return _verdict("unknown", "Accuracy unknown: no rows were held out", sentences)


def _verdict(
    tone: str, headline: str, sentences: list[str], ccp: float | None = None, supervised: float | None = None
) -> dict[str, Any]:
    bars = _bars({"CCP": ccp, "supervised baseline": supervised})
    return {"tone": tone, "headline": headline, "sentences": sentences, "bars": bars}


def _bars(shares: Mapping[str, float | None]) -> list[dict[str, Any]]:
    return [
        {"name": name, "share": share, "text": percent(share)}
        for name, share in shares.items()
        if share is not None
    ]


def findings(evidence: Evidence) -> list[dict[str, str]]:
    """The four main results, each with a large number, its meaning and a note."""
    return [_label_issues(evidence), _outliers(evidence), *_labeled(evidence)]


def _label_issues(evidence: Evidence) -> dict[str, str]:
    issues, given = int(flag(evidence, "is_label_issue").sum()), int((evidence.given >= 0).sum())
    meaning = f"label issue{'' if issues == 1 else 's'} among {several(given, 'given label')}"
    precision = evidence.metrics.get("label_issue_precision")
    recall = evidence.metrics.get("label_issue_recall")
    notes = []
    if precision is not None:
        notes.append(f"{percent(precision)} of them are wrong labels")
    if recall is not None:
        notes.append(f"{percent(recall)} of all wrong labels found")
    return _finding(f"{issues:,}", meaning, "; ".join(notes))


def _outliers(evidence: Evidence) -> dict[str, str]:
    outliers = flag(evidence, "is_outlier_issue")
    meaning = f"outlier{'' if outliers.sum() == 1 else 's'} among {several(len(evidence), 'row')}"
    note = ""
    if evidence.truth is not None and outliers.any():
        note = f"{percent(float((evidence.truth[outliers] < 0).mean()))} of them are true outliers"
    return _finding(f"{outliers.sum():,}", meaning, note)


def _labeled(evidence: Evidence) -> list[dict[str, str]]:
    codes, unlabeled = refined(evidence), evidence.given < 0
    new = unlabeled & (codes >= 0)
    have = "has" if new.sum() == 1 else "have"
    meaning = f"of {several(int(unlabeled.sum()), 'unlabeled row')} now {have} a refined label"
    note = ""
    if evidence.truth is not None and (inliers := new & (evidence.truth >= 0)).any():
        right = float((codes == evidence.truth)[inliers].mean())
        note = f"{percent(right)} of them are right, outliers left out"
    strength = number(evidence, "credibility")[codes >= 0]
    strength = strength[np.isfinite(strength)]
    mean = f"{strength.mean():.2f}" if len(strength) else "none"
    median = f"median {np.median(strength):.2f}" if len(strength) else ""
    return [
        _finding(f"{new.sum():,}", meaning, note),
        _finding(mean, "mean credibility of the refined labels, from 0 to 1", median),
    ]


def _finding(value: str, meaning: str, note: str) -> dict[str, str]:
    return {"value": value, "meaning": meaning, "note": note}
