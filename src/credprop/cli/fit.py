"""`credprop fit`: from a file to a RUN folder."""

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from credprop.ccp import estimate_seconds
from credprop.cli import run_folder
from credprop.cli.console import Screen, in_words, stopwatch
from credprop.cli.fit_job import Job, with_names
from credprop.cli.report import write_report
from credprop.estimator import CCPClassifier, Ready, labels_alone, make_ready
from credprop.estimator.classifier import ABSTAINED
from credprop.estimator.fit_inputs import prepared_rows
from credprop.estimator.persistence import save
from credprop.estimator.saved_folder import read_config
from credprop.files import write_whole
from credprop.training import predict_logits


def run_fit(
    job: Job, out: Path, choices: Mapping[str, Any], screen: Screen, overwrite: bool, resume: bool
) -> dict[str, Any]:
    """Learn, test and write the RUN folder; its figures come back."""
    fingerprint = json.loads(json.dumps(job.fingerprint(choices)))
    run_folder.check_folder(out, fingerprint, overwrite=overwrite, resume=resume)
    if resume and run_folder.is_finished(out):
        return _finished(out, fingerprint, screen)
    with stopwatch() as seconds:
        classifier = CCPClassifier(
            **choices,
            unlabeled_label=None,
            checkpoint=run_folder.checkpoint_of(out),
            watch=_watched(job, choices),
        )
        ready = _get_ready(classifier, job, screen)
        _announce(ready, job, screen)
        with run_folder.prepared(out, fingerprint, overwrite=overwrite) as new, _while_there(out):
            with screen.progress("starting") as draw, warnings.catch_warnings():
                warnings.filterwarnings("ignore", ABSTAINED, UserWarning)  # the story ends with it
                classifier.set_params(callback=draw).learn(ready)
            metrics = measure(classifier, ready, job, screen)
            metrics["seconds"] = round(seconds(), 1)
            write_report(new, classifier, job, metrics, ready.data.x)
            write_whole(new / "metrics.json", json.dumps(metrics, indent=2) + "\n")
            save(classifier, new, job.ids, data=dict(job.origin), fingerprint=fingerprint)
            run_folder.publish(out, new)
    return metrics | _places(out)


def _finished(out: Path, fingerprint: Mapping[str, Any], screen: Screen) -> dict[str, Any]:
    """The figures of a run that was done before."""
    run_folder.check_same(out, read_config(out).get("fingerprint", {}), fingerprint)
    path = out / "metrics.json"
    try:
        metrics: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} cannot be read ({error}); fit anew with --overwrite") from error
    screen.note(f"{out} is finished; nothing to do")
    return metrics | _places(out)


@contextmanager
def _while_there(out: Path) -> Iterator[None]:
    """Say it if the folder was taken away during the work."""
    try:
        yield
    except FileNotFoundError as error:
        if out.is_dir():
            raise
        raise FileNotFoundError(2, "the folder was lost during the work", str(out)) from error


def _get_ready(classifier: CCPClassifier, job: Job, screen: Screen) -> Ready:
    """Check the data and the choices, encode what is to be encoded, and say what should be known of it."""
    for note in job.notes:
        screen.note(f"note: {note}")
    with screen.progress("preparing rows") as draw, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        warnings.filterwarnings("ignore", "row .* is empty", UserWarning)  # the reader said so
        classifier.set_params(callback=draw)
        ready = make_ready(classifier, job.rows, job.y, job.truth, screen.note)
    for warning in caught:
        screen.note(f"note: {warning.message}")
    return ready


def _announce(ready: Ready, job: Job, screen: Screen) -> None:
    """Say what is to be learned from, and how long that takes."""
    data = ready.data
    screen.note(f"{job.title}: {len(data):,} rows, {len(data.given):,} of them labeled, {data.k} classes")
    if not screen.quiet:
        seconds = estimate_seconds(data, ready.settings, ready.compute)
        screen.note(f"this takes about {in_words(seconds)} on {ready.compute.device.type}")


def measure(classifier: CCPClassifier, ready: Ready, job: Job, screen: Screen) -> dict[str, Any]:
    """The figures of a run, and the one look at the test rows."""
    frame = classifier.to_frame(job.ids)
    figures: dict[str, Any] = {
        "rows": len(frame),
        "labeled": int((classifier.refined_.given >= 0).sum()),
        "classes": len(classifier.classes_),
        "certificate": None,
        "abstained": classifier.termination_condition_ == "abstained",
        "label_issues": int(frame["is_label_issue"].sum()),
        "outliers": int(frame["is_outlier_issue"].sum()),
        "refined": int((frame["credibility"] > 0).sum()),
        "encode_seconds": _sum(ready.encode_seconds),
        "test_rows": None,
        "test_accuracy": None,
        "test_accuracy_supervised": None,
    }
    if job.truth is not None:
        figures |= _against_truth(frame, job.truth)
    return figures if job.test_x is None else figures | _on_test_rows(classifier, ready, job, screen)


def _on_test_rows(classifier: CCPClassifier, ready: Ready, job: Job, screen: Screen) -> dict[str, Any]:
    """How right the classifier is on test rows, and the same network that knew the labels alone."""
    with screen.progress("labels alone") as draw, stopwatch() as seconds:
        assert job.test_x is not None
        rows = prepared_rows(classifier.set_params(callback=draw), with_names(job.test_x, job.columns))
        encoding = seconds()
        both = classifier, labels_alone(classifier, ready, draw)
    best = [predict_logits(one.model_, rows).argmax(dim=1).numpy() for one in both]
    right, right_alone = (float(np.mean(classifier.classes_[codes] == job.test_y)) for codes in best)
    return {
        "test_rows": len(rows),
        "test_accuracy": right,
        "test_accuracy_supervised": right_alone,
        "encode_seconds": _sum(ready.encode_seconds, encoding),
    }


def _sum(first: float | None, *others: float) -> float | None:
    """Seconds of all together, rounded; None where the first are."""
    return None if first is None else round(first + sum(others), 1)


def _against_truth(frame: Any, truth: Sequence[Any]) -> dict[str, Any]:
    """How right the verdicts are, where the truth is known."""
    given = frame["given_label"].notna().to_numpy()
    known = np.array([label is not None for label in truth])
    wrong = given & np.array([a != b for a, b in zip(frame["given_label"], truth, strict=True)])
    issue, outlier = frame["is_label_issue"].to_numpy(), frame["is_outlier_issue"].to_numpy()
    found, strangers = int((issue & wrong).sum()), ~known & ~given
    return {
        "wrong_labels": int(wrong.sum()),
        "wrong_labels_found": found,
        "label_issue_precision": found / max(1, int(issue.sum())),
        "label_issue_recall": found / max(1, int(wrong.sum())),
        "strangers": int(strangers.sum()),
        "strangers_found": int((outlier & strangers).sum()),
    }


def story(metrics: Mapping[str, Any]) -> str:
    """What a run found, in sentences with places for the figures."""
    lines = ["{rows:,} rows, {labeled:,} of them labeled, {classes} classes; {refined:,} have a label now."]
    end = "All of it is in {run}; look at report.html there."
    if metrics.get("abstained"):
        lines.append(f"{ABSTAINED[0].upper()}{ABSTAINED[1:]}.")
        if metrics["test_accuracy"] is not None:
            lines.append("On {test_rows:,} rows that nobody saw it is right about {test_accuracy:.1%}.")
        return "\n".join([*lines, end])
    if metrics["test_accuracy"] is None:
        lines.append("Nothing was held out, so nothing is proven: --test FILE measures against labels alone.")
    else:
        difference = 100 * (metrics["test_accuracy"] - metrics["test_accuracy_supervised"])
        lines.append(
            "On {test_rows:,} rows that nobody saw: CCP {test_accuracy:.1%} right, labels alone "
            f"{{test_accuracy_supervised:.1%}} ({difference:+.1f} points)."
        )
    lines.append(
        "Given labels that look wrong: {label_issues:,}. Rows that seem to belong to no class: {outliers:,}."
    )
    return "\n".join([*lines, end])


def _watched(job: Job, choices: Mapping[str, Any]) -> list[int]:
    """Rows whose credibility the report may follow: mostly labeled ones, fewer where classes are many."""
    rng = np.random.default_rng(choices.get("random_state", 0))
    given = np.array([label is not None for label in job.y])
    classes = len({label for label in job.y if label is not None})
    most = max(8, min(64, 640 // max(1, classes)))
    labeled, other = rng.permutation(np.flatnonzero(given)), rng.permutation(np.flatnonzero(~given))
    return sorted([*labeled[: most * 3 // 4].tolist(), *other[: most // 4].tolist()])


def _places(out: Path) -> dict[str, str]:
    return {"run": str(out.resolve()), "report": str((out / "report.html").resolve())}
