"""Labels as annotators gave them, mistakes and all: AG News labeled by people (NoisyAG).

`python benchmarks/annotators.py` prints, a line a seed, the accuracy against the true labels on held-out rows
of CCP (labels not trusted) and of the same network trained on the given labels, and how well each finds the
wrong labels among those given: CCP's opinion against cleanlab's label quality from a logistic regression of
five folds on the same vectors, as average precision. It needs `emb/noisyag_human10k.npz` under CREDPROP_DATA,
and `pip install 'credprop[rivals]'`.
"""

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from cleanlab.rank import get_label_quality_scores
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import cross_val_predict, train_test_split

from credprop import CCPClassifier
from credprop.estimator import labels_alone, make_ready

HELD_OUT = 0.2


def read() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Vectors, true labels, given labels."""
    folder = os.environ.get("CREDPROP_DATA")
    if not folder:
        raise SystemExit("set CREDPROP_DATA to the folder that holds emb/noisyag_human10k.npz")
    file = np.load(Path(folder) / "emb" / "noisyag_human10k.npz")
    return file["X"].astype(np.float32), file["y"].astype(str), file["y_noisy"].astype(str)


def cleanlab_quality(x: np.ndarray[Any, Any], given: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Quality of each given label, 0..1, from predictions on folds that did not see it."""
    classes, codes = np.unique(given, return_inverse=True)
    model = LogisticRegression(max_iter=1000)  # on vectors that are scaled, or with other C: worse
    probability = cross_val_predict(model, x, codes, cv=5, method="predict_proba")
    assert probability.shape == (len(x), len(classes))
    quality: np.ndarray[Any, Any] = get_label_quality_scores(codes, probability)
    return quality


def measure(seed: int) -> dict[str, float]:
    """All figures of a seed."""
    x, truth, given = read()
    parts = train_test_split(x, truth, given, test_size=HELD_OUT, stratify=truth, random_state=seed)
    x_train, x_test, truth_train, truth_test, given_train, _ = parts
    wrong = truth_train != given_train
    start = time.perf_counter()
    ccp = CCPClassifier(trust_labels=False, random_state=seed).fit(x_train, given_train)
    seconds = time.perf_counter() - start
    baseline = labels_alone(ccp, make_ready(ccp, x_train, given_train))
    quality = ccp.find_label_issues()["label_quality"].to_numpy()
    theirs = cleanlab_quality(x_train, given_train)
    return {
        "wrong labels": float(wrong.mean()),
        "ccp": float((ccp.predict(x_test) == truth_test).mean()),
        "labels as given": float((baseline.predict(x_test) == truth_test).mean()),
        "average precision, ccp": float(average_precision_score(wrong, -quality)),
        "average precision, cleanlab": float(average_precision_score(wrong, -theirs)),
        "seconds": seconds,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    rows = []
    for seed in range(options.seeds):
        rows.append(measure(seed))
        print(f"seed {seed}: {describe(rows[-1])}", flush=True)
    print(f"mean:   {describe({name: float(np.mean([row[name] for row in rows])) for name in rows[0]})}")


def describe(row: dict[str, float]) -> str:
    """A row in words."""
    return ", ".join(f"{name} {value:.3f}" for name, value in row.items())


if __name__ == "__main__":
    main()
