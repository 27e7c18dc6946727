"""Label errors of human annotators: AG News labeled by people (NoisyAG).

`python benchmarks/annotators.py` prints one line per seed: the accuracy on held-out rows with true labels of
CCP (labels not trusted) and of the supervised baseline, and the average precision of finding wrong labels by
CCP's label quality and by cleanlab's, from a logistic regression with five folds on the same vectors. It
needs `emb/noisyag_human10k.npz` under CREDPROP_DATA, and `pip install 'credprop[rivals]'`.
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
from credprop.estimator import fit_supervised_baseline, make_fit_inputs

HELD_OUT = 0.2


def read() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Vectors, true labels, given labels."""
    folder = os.environ.get("CREDPROP_DATA")
    if not folder:
        raise SystemExit("set CREDPROP_DATA to the folder that holds emb/noisyag_human10k.npz")
    file = np.load(Path(folder) / "emb" / "noisyag_human10k.npz")
    return file["X"].astype(np.float32), file["y"].astype(str), file["y_noisy"].astype(str)


def cleanlab_quality(x: np.ndarray[Any, Any], given: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The label quality of cleanlab, 0..1, from out-of-fold predictions."""
    classes, codes = np.unique(given, return_inverse=True)
    model = LogisticRegression(max_iter=1000)  # scaled vectors or other values of C are worse
    probability = cross_val_predict(model, x, codes, cv=5, method="predict_proba")
    assert probability.shape == (len(x), len(classes))
    quality: np.ndarray[Any, Any] = get_label_quality_scores(codes, probability)
    return quality


def measure(seed: int) -> dict[str, float]:
    """All metrics of a seed."""
    x, truth, given = read()
    parts = train_test_split(x, truth, given, test_size=HELD_OUT, stratify=truth, random_state=seed)
    x_train, x_test, truth_train, truth_test, given_train, _ = parts
    wrong = truth_train != given_train
    start = time.perf_counter()
    ccp = CCPClassifier(trust_labels=False, trial=False, random_state=seed).fit(x_train, given_train)
    seconds = time.perf_counter() - start
    baseline = fit_supervised_baseline(ccp, make_fit_inputs(ccp, x_train, given_train))
    quality = ccp.find_label_issues()["label_quality"].to_numpy()
    theirs = cleanlab_quality(x_train, given_train)
    return {
        "wrong labels": float(wrong.mean()),
        "ccp": float((ccp.predict(x_test) == truth_test).mean()),
        "supervised baseline": float((baseline.predict(x_test) == truth_test).mean()),
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
    """A row as text."""
    return ", ".join(f"{name} {value:.3f}" for name, value in row.items())


if __name__ == "__main__":
    main()
