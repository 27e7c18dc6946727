"""Overhead of `CCPClassifier.predict` over the forward pass of its network, as a ratio within one run."""

import math
import time
from collections.abc import Callable

import numpy as np
import torch

from credprop import CCPClassifier


def best(works: dict[str, Callable[[], object]], repeats: int = 10) -> dict[str, float]:
    """Best seconds of each function; they alternate."""
    times = dict.fromkeys(works, math.inf)
    for _ in range(repeats):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def main() -> None:
    """Print the ratio for 100,000 rows of 64 features."""
    torch.set_num_threads(2)
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(100_000, 64)).astype(np.float32)
    fitted = CCPClassifier(budget=0.02, max_iter=1, trial=False, random_state=0)
    fitted.fit(rows[:500], np.where(np.arange(500) < 100, np.arange(500) % 10, -1))
    network, tensor = fitted.model_.eval(), torch.from_numpy(rows)

    @torch.inference_mode()
    def forward() -> None:
        network(tensor)

    times = best({"predict": lambda: fitted.predict(rows), "forward": forward})
    ratio = times["predict"] / times["forward"]
    milliseconds = {name: f"{1e3 * seconds:.0f} ms" for name, seconds in times.items()}
    print(f"predict {milliseconds['predict']} / forward {milliseconds['forward']} = {ratio:.2f}  (at most 3)")


if __name__ == "__main__":
    main()
