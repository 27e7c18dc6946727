"""`credprop fit`: from a data file to a run folder."""

import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from credprop.ccp import estimate_seconds
from credprop.cli import run_folder
from credprop.cli.console import Console, format_duration, stopwatch
from credprop.cli.errors import NotProvenError
from credprop.cli.fit_job import FitJob, with_names
from credprop.cli.report import write_report
from credprop.estimator import CCPClassifier, FitInputs, fit_supervised_baseline, make_fit_inputs
from credprop.estimator.fit_inputs import prepared_rows
from credprop.estimator.learning import learn
from credprop.estimator.new_rows import probabilities
from credprop.estimator.persistence import save
from credprop.estimator.saved_folder import read_config
from credprop.files import write_whole
from credprop.report.certified import certified
from credprop.trial import times_longer


def fit_files(
    data: Path,
    test: Path | None,
    columns: Mapping[str, Any],
    params: Mapping[str, Any],
    out: Path,
    console: Console,
    **existing: bool,
) -> dict[str, Any]:
    """Train on files, print and return what was found; `columns` are as `FitJob.from_files` takes them."""
    metrics = run_fit(FitJob.from_files(data, test, **columns), out, params, console, **existing)
    console.result(metrics, summary(metrics))
    return metrics


def check_win(metrics: Mapping[str, Any]) -> None:
    """Raise unless the certificate proves the result better than the baseline."""
    certificate = metrics["certificate"]
    if certificate is None or not certificate["proven"]:
        raise NotProvenError(
            "not proven better than the baseline (--require-win); the run folder is complete"
        )


def run_fit(
    job: FitJob, out: Path, params: Mapping[str, Any], console: Console, *, overwrite: bool, resume: bool
) -> dict[str, Any]:
    """Train, test and write the run folder; return its metrics."""
    fingerprint = json.loads(json.dumps(job.fingerprint(params)))
    run_folder.check_folder(out, fingerprint, overwrite=overwrite, resume=resume)
    if resume and run_folder.is_finished(out):
        return _finished(out, fingerprint, console)
    with stopwatch() as seconds:
        classifier = CCPClassifier(
            **params,
            unlabeled_label=None,
            checkpoint=run_folder.checkpoint_of(out),
            watch=_tracked_rows(job, params),
        )
        inputs = _get_inputs(classifier, job, console)
        _announce(inputs, job, console)
        with run_folder.staged(out, fingerprint, overwrite=overwrite) as new, _folder_must_stay(out):
            with console.progress("starting") as draw:
                embedding = learn(classifier.set_params(callback=draw), inputs)
            metrics = measure(classifier, inputs, job, console)
            metrics["seconds"] = round(seconds(), 1)
            write_report(new, classifier, job, metrics, embedding.numpy())
            write_whole(new / "metrics.json", json.dumps(metrics, indent=2) + "\n")
            save(classifier, new, job.ids, data=dict(job.origin), fingerprint=fingerprint)
            run_folder.publish(out, new)
    return metrics | _paths(out)


def _finished(out: Path, fingerprint: Mapping[str, Any], console: Console) -> dict[str, Any]:
    """The metrics of a run that finished earlier."""
    run_folder.check_same(out, read_config(out).get("fingerprint", {}), fingerprint)
    path = out / "metrics.json"
    try:
        metrics: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path} cannot be read ({error}); rerun with --overwrite") from error
    console.note(f"{out} is a finished run; nothing to do")
    return metrics | _paths(out)


@contextmanager
def _folder_must_stay(out: Path) -> Iterator[None]:
    """Turn the loss of the run folder during training into a clear error."""
    try:
        yield
    except FileNotFoundError as error:
        if out.is_dir():
            raise
        raise FileNotFoundError(2, "the run folder was deleted or moved during training", str(out)) from error


def _get_inputs(classifier: CCPClassifier, job: FitJob, console: Console) -> FitInputs:
    """Check data and parameters, encode the rows, and print notes about them."""
    for note in job.notes:
        console.note(f"note: {note}")
    with console.progress("preparing rows") as draw, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        warnings.filterwarnings("ignore", "row .* is empty", UserWarning)  # already noted by the reader
        classifier.set_params(callback=draw)
        inputs = make_fit_inputs(
            classifier, job.rows, job.y, job.truth, gold=job.gold, groups=job.groups, note=console.note
        )
    for warning in caught:
        console.note(f"note: {warning.message}")
    return inputs


def _announce(inputs: FitInputs, job: FitJob, console: Console) -> None:
    """Print the size of the data and the estimated training time."""
    data = inputs.data
    console.note(f"{job.title}: {len(data):,} rows, {len(data.given):,} labeled, {data.k} classes")
    if not console.quiet:
        seconds, tried = estimate_seconds(data, inputs.settings, inputs.compute), ""
        if inputs.trial is not None:
            longer = times_longer(data, inputs.settings, inputs.trial, inputs.seed)
            seconds, tried = (
                longer * seconds / inputs.trial.jobs,
                f", {longer:.0f} times that without a trial",
            )
        where = inputs.compute.device.type
        console.note(f"estimated training time: {format_duration(seconds)} on {where}{tried}")


def measure(classifier: CCPClassifier, inputs: FitInputs, job: FitJob, console: Console) -> dict[str, Any]:
    """The metrics of a run; the test rows are used here for the first and only time."""
    frame = classifier.to_frame(job.ids)
    metrics: dict[str, Any] = {
        "rows": len(frame),
        "labeled": int((classifier.refined_.given >= 0).sum()),
        "classes": len(classifier.classes_),
        "certificate": _certificate(classifier),
        "label_noise": classifier.label_noise_,
        "trusted_rows": int(((frame["verdict"] == "trust") & frame["given_label"].isna()).sum()),
        "trusted_right": _trusted_right(classifier),
        "label_issues": int(frame["is_label_issue"].sum()),
        "outliers": int(frame["is_outlier_issue"].sum()),
        "refined": int(frame["refined_label"].notna().sum()),
        "encode_seconds": _sum(inputs.encode_seconds),
        "test_rows": None,
        "test_accuracy": None,
        "test_accuracy_supervised": None,
    }
    if job.truth is not None:
        metrics |= _against_truth(frame, job.truth)
    return metrics if job.test_x is None else metrics | _on_test_rows(classifier, inputs, job, console)


def _on_test_rows(
    classifier: CCPClassifier, inputs: FitInputs, job: FitJob, console: Console
) -> dict[str, Any]:
    """Test accuracy of the classifier and of the supervised baseline."""
    with console.progress("training the supervised baseline") as draw, stopwatch() as seconds:
        assert job.test_x is not None
        rows = prepared_rows(classifier.set_params(callback=draw), with_names(job.test_x, job.columns))
        encoding = seconds()
        classifiers = classifier, fit_supervised_baseline(classifier, inputs, draw)
    predicted = [probabilities(c, rows).argmax(axis=1) for c in classifiers]
    ccp, supervised = (float(np.mean(classifier.classes_[codes] == job.test_y)) for codes in predicted)
    return {
        "test_rows": len(rows),
        "test_accuracy": ccp,
        "test_accuracy_supervised": supervised,
        "encode_seconds": _sum(inputs.encode_seconds, encoding),
    }


def _certificate(classifier: CCPClassifier) -> dict[str, Any] | None:
    """The certificate as JSON has it."""
    found = classifier.certificate_
    return None if found is None else vars(found) | {"proven": found.proven}


def _trusted_right(classifier: CCPClassifier) -> dict[str, float] | None:
    """The expected share of right labels among those to trust."""
    found = classifier.trusted_right_
    return None if found is None else dict(zip(("share", "low", "high"), found, strict=True))


def _sum(first: float | None, *others: float) -> float | None:
    """Total seconds, rounded; None if the first value is None."""
    return None if first is None else round(first + sum(others), 1)


def _against_truth(frame: Any, truth: Sequence[Any]) -> dict[str, Any]:
    """Precision and recall of label issues and outliers, given the true labels."""
    given = frame["given_label"].notna().to_numpy()
    has_class = np.array([label is not None for label in truth])
    wrong = given & np.array([a != b for a, b in zip(frame["given_label"], truth, strict=True)])
    issue, outlier = frame["is_label_issue"].to_numpy(), frame["is_outlier_issue"].to_numpy()
    found, true_outliers = int((issue & wrong).sum()), ~has_class & ~given
    return {
        "wrong_labels": int(wrong.sum()),
        "wrong_labels_found": found,
        "label_issue_precision": found / max(1, int(issue.sum())),
        "label_issue_recall": found / max(1, int(wrong.sum())),
        "true_outliers": int(true_outliers.sum()),
        "outliers_found": int((outlier & true_outliers).sum()),
    }


def summary(metrics: Mapping[str, Any]) -> str:
    """A template that says in a few sentences what a run found."""
    lines = ["{rows:,} rows, {labeled:,} labeled, {classes} classes; {refined:,} rows have a refined label."]
    if metrics["test_accuracy"] is not None:
        difference = 100 * (metrics["test_accuracy"] - metrics["test_accuracy_supervised"])
        lines.append(
            "Accuracy on {test_rows:,} held-out rows: CCP {test_accuracy:.1%}, supervised baseline "
            f"{{test_accuracy_supervised:.1%}} ({difference:+.1f} points)."
        )
    lines += escaped(certified(metrics))
    lines.append("Label issues: {label_issues:,}. Outliers: {outliers:,}.")
    return "\n".join([*lines, "Results are in {run}; open report.html there."])


def escaped(sentences: Sequence[str]) -> list[str]:
    """Sentences as parts of a template."""
    return [sentence.replace("{", "{{").replace("}", "}}") for sentence in sentences]


def _tracked_rows(job: FitJob, params: Mapping[str, Any]) -> list[int]:
    """Rows to track for plots in the report: mostly labeled ones, fewer with many classes."""
    rng = np.random.default_rng(params.get("random_state", 0))
    given = np.array([label is not None for label in job.y])
    classes = len({label for label in job.y if label is not None})
    most = max(8, min(64, 640 // max(1, classes)))
    labeled, unlabeled = rng.permutation(np.flatnonzero(given)), rng.permutation(np.flatnonzero(~given))
    return sorted([*labeled[: most * 3 // 4].tolist(), *unlabeled[: most // 4].tolist()])


def _paths(out: Path) -> dict[str, str]:
    return {"run": str(out.resolve()), "report": str((out / "report.html").resolve())}
