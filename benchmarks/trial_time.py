"""Time of a fit with a trial over that of a fit without, as a ratio within one run.

    python benchmarks/trial_time.py

Digits as vectors (four folds) and as images (one fold), 200 labels of 1,000 rows.
"""

import time

import numpy as np
import torch
from sklearn.datasets import load_digits

from credprop import CCPClassifier

LABELS, ROWS = 200, 1000
AT_MOST = {"vectors": 8, "images": 3}


def seconds(x: np.ndarray, y: np.ndarray, *, trial: bool, budget: float) -> float:
    """How long a fit takes."""
    start = time.perf_counter()
    CCPClassifier(trial=trial, budget=budget, random_state=0).fit(x, y)
    return time.perf_counter() - start


def main() -> None:
    """Print the ratios."""
    torch.set_num_threads(2)
    pixels, digits = load_digits(return_X_y=True)
    y = np.where(np.arange(ROWS) < LABELS, digits[:ROWS], -1)
    images = (pixels[:ROWS] / 16).reshape(-1, 1, 8, 8).astype(np.float32)
    for name, x, budget in (("vectors", pixels[:ROWS], 1.0), ("images", images, 0.2)):
        with_trial, without = (seconds(x, y, trial=trial, budget=budget) for trial in (True, False))
        ratio = with_trial / without
        print(f"{name}: {with_trial:.1f} s / {without:.1f} s = {ratio:.1f}  (at most {AT_MOST[name]})")


if __name__ == "__main__":
    main()
