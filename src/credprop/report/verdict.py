"""The verdict in plain words: is it better than the labels alone, and what was found in the data."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from credprop.report.evidence import Evidence, flag, number, refined
from credprop.report.words import percent, points, several

_SHIPPED = {
    "ccp": "The run's classifier is the one that CCP built.",
    "supervised": "The run's classifier was trained on the labels alone, as CCP was not proven better.",
}
_ABSTAINED = (
    "Nothing was spread: labels shuffled at random would spread as consistently over these texts. The "
    "classifier learned from the given labels alone. They were not judged, and samples without one have none."
)
_HOW = (
    "To get evidence, keep some labeled rows in a file of their own and run again with `--test FILE`: "
    "they are used once, at the end, to measure both."
)


def judge(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """What the held-out rows say: a tone, a headline, sentences, and the accuracies to draw as bars."""
    if metrics.get("abstained"):
        return _abstained(metrics.get("test_accuracy"))
    certificate: Mapping[str, Any] = metrics.get("certificate") or {}
    ccp, alone = metrics.get("test_accuracy"), metrics.get("test_accuracy_supervised")
    if ccp is not None and alone is not None:
        verdict = _tested(ccp, alone)
        verdict["sentences"] += [_interval(certificate)] if _measured(certificate) else []
    elif _measured(certificate):
        verdict = _certified(certificate)
    elif ccp is not None:
        verdict = _uncompared(ccp)
    else:
        verdict = _unknown(tried=bool(certificate))
    shipped = certificate.get("shipped")
    if shipped is not None:
        verdict["sentences"].append(_SHIPPED.get(shipped, f"The run's classifier: {shipped}."))
    return verdict


def _abstained(accuracy: float | None) -> dict[str, Any]:
    measured = "" if accuracy is None else f"On held-out samples it is right about {percent(accuracy)}."
    sentences = [sentence for sentence in (_ABSTAINED, measured) if sentence]
    return _verdict("level", "Abstained: your labels alone", sentences, alone=accuracy)


def _measured(certificate: Mapping[str, Any]) -> bool:
    names = ("ccp", "supervised", "difference", "low", "high")
    return all(certificate.get(name) is not None for name in names)


def _tested(ccp: float, alone: float) -> dict[str, Any]:
    difference = round(100 * (ccp - alone), 1)
    sentence = (
        f"On held-out samples that training never saw, CCP is right about {percent(ccp)}; "
        f"the same network trained on the given labels alone about {percent(alone)}."
    )
    if difference == 0:
        return _verdict("level", "As good as your labels alone, no better", [sentence], ccp, alone)
    tone = "ahead" if difference > 0 else "behind"
    sentences = [sentence]
    if tone == "behind":
        sentences.append(
            "Prefer the classifier trained on the labels alone; what is flagged below may still help."
        )
    return _verdict(tone, _headline(difference), sentences, ccp, alone)


def _headline(difference: float) -> str:
    size = f"{abs(difference):.1f} point{'' if abs(difference) == 1 else 's'}"
    return f"{size} {'better' if difference > 0 else 'worse'} than your labels alone"


def _certified(certificate: Mapping[str, Any]) -> dict[str, Any]:
    low, high = certificate["low"], certificate["high"]
    tone = "ahead" if low > 0 else "behind" if high < 0 else "level"
    difference = round(100 * certificate["difference"], 1)
    headline = "Not proven better than your labels alone" if tone == "level" else _headline(difference)
    ccp, alone = certificate["ccp"], certificate["supervised"]
    sentences = [
        f"CCP is right about {percent(ccp)}, labels alone about {percent(alone)}.",
        _interval(certificate),
    ]
    if tone == "level":
        sentences.append(
            "The interval contains zero: these labels are too few, or the two too close, to tell."
        )
    return _verdict(tone, headline, sentences, ccp, alone)


def _interval(certificate: Mapping[str, Any]) -> str:
    p_value = certificate.get("p_value")
    test = "" if p_value is None else f", p = {p_value:.2g} in McNemar's exact test"
    return (
        "Certificate, on given labels hidden from both in turn: a difference of "
        f"{points(certificate['difference'])} points, interval {points(certificate['low'])} "
        f"to {points(certificate['high'])}{test}."
    )


def _uncompared(ccp: float) -> dict[str, Any]:
    sentence = f"On held-out samples CCP is right about {percent(ccp)}; the labels alone were not measured."
    return _verdict("unknown", "No comparison with your labels alone", [sentence], ccp, None)


def _unknown(*, tried: bool) -> dict[str, Any]:
    if tried:
        sentences = ["There are too few labels to hide some and tell which is better.", _HOW]
        return _verdict("unknown", "Too few labels to tell if this beats them", sentences)
    sentences = [
        "Nothing was held out, so nothing here proves that this beats training on your labels.",
        _HOW,
    ]
    return _verdict("unknown", "No evidence either way: nothing was held out", sentences)


def _verdict(
    tone: str, headline: str, sentences: list[str], ccp: float | None = None, alone: float | None = None
) -> dict[str, Any]:
    bars = [
        {"name": name, "share": share, "text": percent(share)}
        for name, share in (("CCP", ccp), ("labels alone", alone))
        if share is not None
    ]
    return {"tone": tone, "headline": headline, "sentences": sentences, "bars": bars}


def findings(evidence: Evidence) -> list[dict[str, str]]:
    """The four counts that a reader wants first, each a large number, its meaning and a note."""
    return [_suspicious(evidence), _outliers(evidence), *_labeled(evidence)]


def _suspicious(evidence: Evidence) -> dict[str, str]:
    issues, given = int(flag(evidence, "is_label_issue").sum()), int((evidence.given >= 0).sum())
    meaning = f"of {several(given, 'given label')} {'is' if issues == 1 else 'are'} suspicious"
    precision = evidence.metrics.get("label_issue_precision")
    recall = evidence.metrics.get("label_issue_recall")
    notes = ["not judged: the run abstained"] if evidence.metrics.get("abstained") else []
    if precision is not None:
        notes.append(f"{percent(precision)} of these really are wrong")
    if recall is not None:
        notes.append(f"{percent(recall)} of all wrong labels were found")
    return _finding(f"{issues:,}", meaning, "; ".join(notes))


def _outliers(evidence: Evidence) -> dict[str, str]:
    outliers = flag(evidence, "is_outlier_issue")
    belong = "belongs" if outliers.sum() == 1 else "belong"
    meaning = f"of {several(len(evidence), 'sample')} {belong} to no class"
    note = ""
    if evidence.truth is not None and outliers.any():
        note = f"{percent(float((evidence.truth[outliers] < 0).mean()))} of these really are strangers"
    return _finding(f"{outliers.sum():,}", meaning, note)


def _labeled(evidence: Evidence) -> list[dict[str, str]]:
    codes, hidden = refined(evidence), evidence.given < 0
    new = hidden & (codes >= 0)
    have = "has" if new.sum() == 1 else "have"
    meaning = f"of {several(int(hidden.sum()), 'unlabeled sample')} now {have} a label"
    note = ""
    if evidence.truth is not None and (known := new & (evidence.truth >= 0)).any():
        right = float((codes == evidence.truth)[known].mean())
        note = f"right for {percent(right)} of those that have a class"
    strength = number(evidence, "credibility")[codes >= 0]
    strength = strength[np.isfinite(strength)]
    mean = f"{strength.mean():.2f}" if len(strength) else "none"
    spread = f"median {np.median(strength):.2f}" if len(strength) else ""
    return [
        _finding(f"{new.sum():,}", meaning, note),
        _finding(mean, "mean credibility of the refined labels, from 0 to 1", spread),
    ]


def _finding(value: str, meaning: str, note: str) -> dict[str, str]:
    return {"value": value, "meaning": meaning, "note": note}
