"""A whole run on digits with 20 labels a class, 40 % of them wrong, against training on the labels alone."""

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
    """One line on the terminal, written over at every epoch."""
    if sys.stderr.isatty():
        share = progress.done / progress.planned
        print(f"\r{share:4.0%} {progress.stage} {progress.iteration or '':3}", end="", file=sys.stderr)


def main() -> None:
    """Print how accurate the labels and the classifiers are."""
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
    doubted = result.opinion[given].argmax(dim=1) != data.labels[given]
    found = int((doubted & torch.from_numpy(labels != y_train)[given]).sum())
    truth = torch.from_numpy(y_test)
    print(f"\r{len(labels)} samples, {len(given)} labeled, {len(wrong)} of these wrongly; 10 classes")
    print(f"labels doubted: {int(doubted.sum())}, {found} of them wrong indeed")
    for row in result.history:
        if "p" in row:
            right = row["pseudo_label_accuracy"]
            print(f"iteration {row['iteration']}: {right:.1%} of the hidden labels are right")
    print(f"test accuracy, trained on the given labels alone: {accuracy(baseline, x_test, truth):.1%}")
    print(f"test accuracy, CCP:                               {accuracy(result.model, x_test, truth):.1%}")


if __name__ == "__main__":
    main()
