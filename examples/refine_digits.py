"""Train CCP and the supervised baseline on digits with 20 labels per class, 40 % of them wrong."""

import dataclasses
import sys

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from credprop.ccp import Progress, choose_settings, train, train_supervised
from credprop.data import PartlyLabeled
from credprop.training import accuracy


def show(progress: Progress) -> None:
    """Show progress in one line of the terminal."""
    if sys.stderr.isatty():
        share = progress.done / progress.planned
        print(f"\r{share:4.0%} {progress.stage} {progress.iteration or '':3}", end="", file=sys.stderr)


def main() -> None:
    """Print the accuracy of labels and classifiers."""
    x, y = load_digits(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(
        x.astype(np.float32), y, test_size=0.3, stratify=y, random_state=0
    )
    rng = np.random.default_rng(0)
    labels = np.full(len(y_train), -1)  # -1 is unlabeled
    for digit in range(10):
        labels[rng.permutation(np.flatnonzero(y_train == digit))[:20]] = digit
    wrong = rng.permutation(np.flatnonzero(labels >= 0))[:80]
    labels[wrong] = (labels[wrong] + rng.integers(1, 10, len(wrong))) % 10

    data = PartlyLabeled(x=x_train, labels=torch.from_numpy(labels), k=10, truth=torch.from_numpy(y_train))
    settings = dataclasses.replace(choose_settings(data), trust_labels=False)
    result = train(data, settings, on_progress=show)
    baseline = train_supervised(data, settings, result.steps)

    given = data.given
    flagged = result.opinion[given].argmax(dim=1) != data.labels[given]
    found = int((flagged & torch.from_numpy(labels != y_train)[given]).sum())
    truth = torch.from_numpy(y_test)
    print(f"\r{len(labels)} rows, {len(given)} labeled, {len(wrong)} of these labels wrong; 10 classes")
    print(f"label issues: {int(flagged.sum())} flagged, {found} of them wrong labels")
    for row in result.history:
        if "p" in row:
            right = row["pseudo_label_accuracy"]
            print(f"iteration {row['iteration']}: pseudo-label accuracy {right:.1%}")
    print(f"test accuracy, supervised baseline: {accuracy(baseline, x_test, truth):.1%}")
    print(f"test accuracy, CCP:                 {accuracy(result.model, x_test, truth):.1%}")


if __name__ == "__main__":
    main()
