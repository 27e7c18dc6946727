"""Speed of the default frozen encoders, and accuracy of a logistic regression on their vectors.

Reads `cifar10_12k.npz` and `ag_news.csv.gz` from the folder CREDPROP_DATA; writes nothing.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from credprop.frozen import choose_frozen, encode_once


def images(folder: Path, rows: int) -> tuple[Any, ...]:
    """The first rows of CIFAR-10 to train on, and the test rows."""
    with np.load(folder / "cifar10_12k.npz") as data:
        return data["x_train"][:rows], data["y_train"][:rows], data["x_test"], data["y_test"]


def texts(folder: Path, rows: int) -> tuple[Any, ...]:
    """The first rows of AG News to train on, and 2,000 test rows."""
    table = pd.read_csv(folder / "ag_news.csv.gz")
    train, test = (table[table.split == part] for part in ("train", "test"))
    return (
        *(train[c].tolist()[:rows] for c in ("text", "label")),
        *(test[c].tolist()[:2000] for c in ("text", "label")),
    )


def main() -> None:
    """Print rows per second of wall-clock and processor time, and the accuracy of a linear probe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000, help="training rows")
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    folder = Path(os.environ["CREDPROP_DATA"])
    for name, read in (("pretrained", images), ("sentence", texts)):
        x, y, test_x, test_y = read(folder, chosen.rows)
        frozen = choose_frozen(name)
        frozen.encode(x[:8])
        with tempfile.TemporaryDirectory() as cache:
            clock, busy = time.perf_counter(), time.process_time()
            vectors = encode_once(frozen, x, Path(cache))
            clock, busy = time.perf_counter() - clock, time.process_time() - busy
            again = time.perf_counter()
            encode_once(frozen, x, Path(cache))
            again = time.perf_counter() - again
        probe = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=200)).fit(vectors, y)
        accuracy = probe.score(frozen.encode(test_x), test_y)
        print(
            f"{frozen.name}: {len(x)} rows in {clock:.1f} s ({len(x) / clock:.0f} per second, "
            f"{len(x) / busy:.0f} per second of processor time), from the cache in {again:.2f} s; "
            f"linear probe {accuracy:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
