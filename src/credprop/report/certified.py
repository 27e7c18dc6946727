"""The certificate and the rows to trust, in sentences."""

from collections.abc import Mapping
from typing import Any

from credprop.report.formatting import percent

_NAMES = {"accuracy": "accuracy", "balanced-accuracy": "balanced accuracy", "macro-f1": "macro F1"}
_BASELINES = {"supervised": "the supervised baseline", "linear": "a linear model"}
_NONE = "No certificate: no label could be hidden, or the trial was switched off."


def certified(metrics: Mapping[str, Any]) -> list[str]:
    """What the trial says about the whole run."""
    certificate = metrics.get("certificate")
    if certificate is None:
        return [_NONE]
    return [conclusion(certificate), comparison(certificate), *_trusted(metrics)]


def conclusion(certificate: Mapping[str, Any]) -> str:
    """What the comparison with the better baseline shows, in a few words."""
    baseline = _BASELINES[certificate["baseline"]]
    if certificate["proven"]:
        return f"Better than {baseline}."
    if certificate["high"] < 0:
        shipped = certificate["shipped"] != "blend"
        return f"Worse than {baseline}{', which is therefore used' * shipped}."
    return f"Not proven better than {baseline}."


def comparison(certificate: Mapping[str, Any]) -> str:
    """The figures of the comparison."""
    metric = _NAMES[certificate["metric"]]
    difference, low, high = (100 * certificate[name] for name in ("difference", "low", "high"))
    baseline = certificate[certificate["baseline"]]
    return (
        f"On {certificate['hidden']:,} hidden labels: {metric} {percent(certificate['ccp'])} against "
        f"{percent(baseline)} ({difference:+.1f} points, 95 % interval {low:+.1f} to {high:+.1f})."
    )


def _trusted(metrics: Mapping[str, Any]) -> list[str]:
    """How many unlabeled rows are to be trusted, and how many of them are right."""
    right, rows = metrics.get("trusted_right"), metrics.get("trusted_rows", 0)
    if not right or not rows:
        return ["No unlabeled row is confident enough to trust."]
    return [
        f"Rows to trust: {rows:,} unlabeled ones, {percent(right['share'])} of them expected to be right "
        f"({percent(right['low'])} to {percent(right['high'])})."
    ]
