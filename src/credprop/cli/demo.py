"""`credprop demo`: the main job on digits that ship with scikit-learn."""

from pathlib import Path

import numpy as np

from credprop.cli.console import Screen
from credprop.cli.fit import run_fit
from credprop.cli.fit_job import Job

DEFAULT_OUT = Path("credprop-demo")
KNOWN, LABELS, WRONG = 6, 8, 0.3  # classes with labels, labels in each, share of them that is wrong

_INTRO = """Digits as 8 x 8 pixels, {rows:,} rows. Six classes have {labels} labels in all, and {wrong} of
those are wrong. Four more classes are hidden among the unlabeled rows: {strangers} strangers that
belong nowhere."""
STORY = """
On {test_rows} rows that nobody saw:
  trained on the labels alone   {supervised_accuracy:.1%} right
  CCP                           {ccp_accuracy:.1%} right

Wrong labels: it points at {label_issues}; {wrong_labels_found} of them are among the {wrong_labels} wrong
  ones (precision {label_issue_precision:.0%}, recall {label_issue_recall:.0%}).
Strangers: it points at {outliers}; {strangers_found} of them are among the {strangers} strangers.

Took {seconds:.0f} s. Now open {report}"""


def run_demo(out: Path, seed: int, screen: Screen, *, overwrite: bool, budget: float = 1.0) -> None:
    """Make the data, learn, and tell what came of it."""
    job = make_job(seed)
    assert job.truth is not None
    labeled = [(label, true) for label, true in zip(job.y, job.truth, strict=True) if label is not None]
    screen.note(
        _INTRO.format(
            rows=len(job.y),
            labels=len(labeled),
            wrong=sum(label != true for label, true in labeled),
            strangers=job.truth.count(None),
        )
    )
    choices = {"trust_labels": False, "budget": budget, "random_state": seed}
    metrics = run_fit(job, out, choices, screen, overwrite, resume=False)
    accuracies = {"supervised": metrics["test_accuracy_supervised"], "ccp": metrics["test_accuracy"]}
    screen.result(metrics | {f"{name}_accuracy": value for name, value in accuracies.items()}, STORY)


def make_job(seed: int) -> Job:
    """Badly labeled digits with strangers among them, 30 % of the rows held out."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    x, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(seed)
    train, test = train_test_split(np.arange(len(y)), test_size=0.3, stratify=y, random_state=seed)
    labels = np.full(len(train), -1)
    for c in range(KNOWN):
        labels[rng.choice(np.flatnonzero(y[train] == c), LABELS, replace=False)] = c
    given = np.flatnonzero(labels >= 0)
    wrong = rng.choice(given, round(WRONG * len(given)), replace=False)
    labels[wrong] = (labels[wrong] + rng.integers(1, KNOWN, len(wrong))) % KNOWN
    test = test[y[test] < KNOWN]
    return Job(
        title="digits",
        kind="vectors",
        x=x[train].astype(np.float32),
        y=[None if label < 0 else int(label) for label in labels],
        ids=[str(row) for row in train],
        test_x=x[test].astype(np.float32),
        test_y=y[test],
        truth=[int(label) if label < KNOWN else None for label in y[train]],
        pictures=(x[train].reshape(-1, 8, 8, 1) * (255 / 16)).astype(np.uint8),
        origin={"path": "digits of scikit-learn", "kind": "vectors", "features": []},
    )
