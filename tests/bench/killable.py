"""A bench in a process of its own, to be killed: `python killable.py DIR JOBS`."""

import sys
from pathlib import Path

from credprop.bench import load_dataset, plan_bench, run_bench


def main() -> None:
    """Run a slow method on digits."""
    dataset = load_dataset("digits")
    bench = plan_bench(dataset, ["slow"], ["few-label", "base"], range(4), module="bench.tiny_methods")
    run_bench(bench, Path(sys.argv[1]), jobs=int(sys.argv[2]))


if __name__ == "__main__":
    main()
