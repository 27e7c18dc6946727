"""`credprop fit`: from a file to a RUN folder."""

import hashlib
import json
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from credprop.cli import folder
from credprop.cli.pages import write_report
from credprop.cli.show import Screen, in_words, stopwatch
from credprop.data import Source, read_source
from credprop.data.source import listed
from credprop.estimator import CCPClassifier, labels_alone
from credprop.estimator.choices import choose_device
from credprop.estimator.inputs import partly_labeled
from credprop.estimator.storage import read_config, save
from credprop.files import write_whole
from credprop.training import estimate_seconds


@dataclass(frozen=True, eq=False, kw_only=True)
class Job:
    """What to learn from, what to test on, and what is known for measuring."""

    title: str
    kind: str
    x: np.ndarray
    y: list[Any]
    ids: Sequence[str]
    columns: Sequence[str] = ()
    test_x: np.ndarray | None = None
    test_y: np.ndarray | None = None
    truth: list[Any] | None = None
    pictures: np.ndarray | None = None  # of the rows, where they are not the rows themselves
    origin: Mapping[str, Any]  # how to read such data again
    notes: Sequence[str] = ()

    @classmethod
    def from_files(cls, data: Path, test: Path | None, **columns: Any) -> "Job":
        """A job as the user names it on the command line."""
        source = read_source(data, **columns)
        assert source.labels is not None
        notes = list(source.warnings)
        if source.left_out:
            notes.append(f"columns that are no features: {listed(source.left_out)}")
        test_x = test_y = None
        if test is not None:
            again = columns | {"features": source.columns, "id_column": None, "part": "test"}
            again |= {} if is_table(test) else {"features": (), "image": None}
            test_x, test_y = _labeled_rows(test, read_source(test, **again), source)
        return cls(
            title=data.name,
            kind=source.kind,
            x=source.x,
            y=source.labels,
            ids=source.ids,
            columns=source.columns,
            test_x=test_x,
            test_y=test_y,
            origin={"path": str(data.resolve())}
            | columns
            | {"features": list(source.columns), "kind": source.kind},
            notes=notes,
        )

    @property
    def rows(self) -> Any:
        """The rows with the names of their features, where they have any."""
        return with_names(self.x, self.columns)

    def fingerprint(self, choices: Mapping[str, Any]) -> dict[str, Any]:
        """What must be the same for a run to go on, by name."""
        return {
            "data": [list(self.x.shape), _hash(self.x), _hash_of_list(self.y)],
            "names of features": _hash_of_list(self.columns),
            "ids": _hash_of_list(self.ids),
            "test data": self._test_hash(),
            **{name.replace("_", " "): value for name, value in choices.items()},
        }

    def _test_hash(self) -> list[str] | None:
        if self.test_x is None or self.test_y is None:
            return None
        return [_hash(self.test_x), _hash_of_list(self.test_y.tolist())]


def is_table(path: Path) -> bool:
    """Whether its columns have names, other than those of an .npz or a folder of images."""
    return not path.is_dir() and path.suffix.lower() != ".npz"


def with_names(x: np.ndarray, columns: Sequence[str]) -> Any:
    """Vectors as a frame if their features have names, else as they are."""
    import pandas as pd

    return pd.DataFrame(x, columns=list(columns)) if columns else x


def run_fit(
    job: Job, out: Path, choices: Mapping[str, Any], screen: Screen, overwrite: bool, resume: bool
) -> dict[str, Any]:
    """Learn, test and write the RUN folder; its figures come back."""
    fingerprint = json.loads(json.dumps(job.fingerprint(choices)))
    folder.check_folder(out, fingerprint, overwrite=overwrite, resume=resume)
    if resume and folder.is_finished(out):
        return _finished(out, fingerprint, screen)
    with stopwatch() as seconds:
        classifier = CCPClassifier(
            **choices,
            unlabeled_label=None,
            checkpoint=folder.checkpoint_of(out),
            watch=_watched(job, choices),
        )
        _announce(classifier, job, screen)
        with folder.prepared(out, fingerprint, overwrite=overwrite) as new, _while_there(out):
            _learn(classifier, job, screen)
            metrics = measure(classifier, job, screen)
            metrics["seconds"] = round(seconds(), 1)
            write_report(new, classifier, job, metrics)
            write_whole(new / "metrics.json", json.dumps(metrics, indent=2) + "\n")
            save(classifier, new, job.ids, data=dict(job.origin), fingerprint=fingerprint)
            folder.publish(out, new)
    return metrics | _places(out)


def _finished(out: Path, fingerprint: Mapping[str, Any], screen: Screen) -> dict[str, Any]:
    """The figures of a run that was done before."""
    folder.check_same(out, read_config(out).get("fingerprint", {}), fingerprint)
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


def _announce(classifier: CCPClassifier, job: Job, screen: Screen) -> None:
    """Look at the data and the choices, and say what is to be known before the work."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        data, _ = partly_labeled(classifier, job.rows, job.y)
    for note in [*job.notes, *(warning.message for warning in caught)]:
        screen.note(f"note: {note}")
    settings, compute = classifier.choose_settings(data), choose_device(classifier.device)
    screen.note(f"{job.title}: {len(data):,} rows, {len(data.given):,} of them labeled, {data.k} classes")
    if not screen.quiet:
        seconds = estimate_seconds(data, settings, compute)
        screen.note(f"this takes about {in_words(seconds)} on {compute.device.type}")


def _learn(classifier: CCPClassifier, job: Job, screen: Screen) -> None:
    """Fit, with progress during the work."""
    with screen.progress("starting") as draw, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # said before
        classifier.set_params(callback=draw).fit(job.rows, job.y, job.truth)


def measure(classifier: CCPClassifier, job: Job, screen: Screen) -> dict[str, Any]:
    """The figures of a run, and the one look at the test rows."""
    frame = classifier.to_frame(job.ids)
    figures: dict[str, Any] = {
        "rows": len(frame),
        "labeled": int((classifier.refined_.given >= 0).sum()),
        "classes": len(classifier.classes_),
        "certificate": None,
        "label_issues": int(frame["is_label_issue"].sum()),
        "outliers": int(frame["is_outlier_issue"].sum()),
        "refined": int((frame["credibility"] > 0).sum()),
        "test_rows": None,
        "test_accuracy": None,
        "test_accuracy_supervised": None,
    }
    if job.truth is not None:
        figures |= _against_truth(frame, job.truth)
    if job.test_x is None or job.test_y is None:
        return figures
    with screen.progress("labels alone") as draw, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        baseline = labels_alone(classifier, job.rows, job.y, draw)
    test = with_names(job.test_x, job.columns)
    return figures | {
        "test_rows": len(job.test_y),
        "test_accuracy": float(np.mean(classifier.predict(test) == job.test_y)),
        "test_accuracy_supervised": float(np.mean(baseline.predict(test) == job.test_y)),
    }


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
    return "\n".join([*lines, "All of it is in {run}; look at report.html there."])


def _labeled_rows(path: Path, test: Source, train: Source) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the test data that have a label, and their labels, which training must know."""
    assert test.labels is not None
    assert train.labels is not None
    if test.kind != train.kind or test.x.shape[1:] != train.x.shape[1:]:
        raise ValueError(
            f"{path} holds {test.kind} of shape {test.x.shape[1:]}, the data {train.kind} of shape "
            f"{train.x.shape[1:]}; give test rows like those to learn from"
        )
    rows = [i for i, label in enumerate(test.labels) if label is not None]
    if not rows:
        raise ValueError(f"{path} holds no labeled row to test on; leave --test out, or label some")
    # By their spelling: a file that happens to hold numbers only would have other labels than one with words.
    known = {str(label): label for label in train.labels if label is not None}
    if unknown := {str(test.labels[i]) for i in rows} - set(known):
        raise ValueError(
            f"{path} holds the class {min(unknown)!r}, which no row to learn from has; leave it out"
        )
    return test.x[rows], np.array([known[str(test.labels[i])] for i in rows], dtype=object)


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


def _hash(values: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(values).ravel().data).hexdigest()


def _hash_of_list(values: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(list(values)).encode()).hexdigest()
