"""`credprop demo`: a complete run on the digits that ship with scikit-learn."""

from pathlib import Path

import numpy as np

from credprop.cli.console import Console
from credprop.cli.fit import escaped, run_fit
from credprop.cli.fit_job import FitJob
from credprop.report.certified import certified

DEFAULT_OUT = Path("credprop-demo")
CLASSES, LABELS, WRONG = 6, 8, 0.3  # labeled classes, labels per class, share of wrong labels

_INTRO = """{rows:,} images of handwritten digits, 8 x 8 pixels. The digits 0 to 5 have {labels} labels in
total, and {wrong} of them are wrong. {outliers} unlabeled rows are outliers: the digits 6 to 9."""
SUMMARY = """
Accuracy on {test_rows} held-out rows:
  supervised baseline   {supervised_accuracy:.1%}   (the same network, trained on the given labels only)
  CCP                   {ccp_accuracy:.1%}

{certified}
Label issues: {label_issues} flagged, {wrong_labels_found} of the {wrong_labels} wrong labels found
  (precision {label_issue_precision:.0%}, recall {label_issue_recall:.0%}).
Outliers: {outliers} flagged, {outliers_found} of the {true_outliers} outliers found.

Took {seconds:.0f} s. Open {report} to see the details."""


def run_demo(out: Path, seed: int, console: Console, *, overwrite: bool, budget: float = 1.0) -> None:
    """Make the data, train, and print the results."""
    job = make_job(seed)
    assert job.truth is not None
    labeled = [(label, true) for label, true in zip(job.y, job.truth, strict=True) if label is not None]
    console.note(
        _INTRO.format(
            rows=len(job.y),
            labels=len(labeled),
            wrong=sum(label != true for label, true in labeled),
            outliers=job.truth.count(None),
        )
    )
    params = {"budget": budget, "random_state": seed}
    metrics = run_fit(job, out, params, console, overwrite=overwrite, resume=False)
    accuracies = {"supervised": metrics["test_accuracy_supervised"], "ccp": metrics["test_accuracy"]}
    found = "\n".join(escaped(certified(metrics)))
    console.result(
        metrics | {f"{name}_accuracy": value for name, value in accuracies.items()},
        SUMMARY.replace("{certified}", found),
    )


def make_job(seed: int) -> FitJob:
    """Digits with few and partly wrong labels and with outliers; 30 % of the rows are held out."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    x, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, stratify=y, random_state=seed)
    labels = np.full(len(train), -1)
    for c in range(CLASSES):
        labels[rng.choice(np.flatnonzero(y[train] == c), LABELS, replace=False)] = c
    given = np.flatnonzero(labels >= 0)
    wrong = rng.choice(given, round(WRONG * len(given)), replace=False)
    labels[wrong] = (labels[wrong] + rng.integers(1, CLASSES, len(wrong))) % CLASSES
    test = test[y[test] < CLASSES]
    return FitJob(
        title="digits",
        kind="vectors",
        x=x[train].astype(np.float32),
        y=[None if label < 0 else int(label) for label in labels],
        ids=[str(row) for row in train],
        test_x=x[test].astype(np.float32),
        test_y=y[test],
        truth=[int(label) if label < CLASSES else None for label in y[train]],
        images=(x[train].reshape(-1, 8, 8, 1) * (255 / 16)).astype(np.uint8),
        origin={"path": "digits of scikit-learn", "kind": "vectors", "features": []},
    )
