"""A run trains a method on a cell and stores its metrics."""

from pathlib import Path
from typing import Any

import pytest
import torch

from bench import tiny_methods
from credprop.bench import Dataset, load_dataset, plan_bench, read_results, run_bench
from credprop.bench.results_folder import run_key, source_hash
from credprop.bench.run_cell import Bench


@pytest.fixture(scope="module")
def digits() -> Dataset:
    """Few of them, for speed."""
    return load_dataset("digits", rows=600)


def plan(data: Dataset, methods: list[str], cells: list[str], seeds: int = 2, **more: Any) -> Bench:
    return plan_bench(data, methods, cells, range(seeds), module="bench.tiny_methods", **more)


def test_every_run_is_a_row_with_the_documented_figures(digits: Dataset, tmp_path: Path) -> None:
    bench = plan(digits, ["supervised", "centroid"], ["few-label-2", "open-set-1"])
    rows = run_bench(bench, tmp_path / "b")
    assert rows == read_results(tmp_path / "b")
    assert len({run_key(row) for row in rows}) == len(rows) == 8
    row = next(r for r in rows if run_key(r) == ("few-label", 2, "centroid", 1))
    assert list(row) == [
        *("data", "scenario", "severity", "method", "seed", "accuracy", "seconds", "pseudo_label_accuracy"),
        *(
            "first_accuracy",
            "first_pseudo_label_accuracy",
            "steps",
            "samples",
            "history",
            "watched",
            "judged",
        ),
        *("error", "code"),
    ]
    assert row["data"] == "digits"
    assert 0.6 < row["accuracy"] < 1
    assert 0.6 < row["pseudo_label_accuracy"] < 1
    assert 0.2 < row["first_accuracy"] < 0.3
    assert (row["steps"], row["samples"], row["error"]) == (7, 70, None)
    assert row["code"] == source_hash()
    assert row["history"] == [{"pseudo_label_accuracy": 0.5, "p": None}]
    assert row["judged"] is None
    majority = next(r for r in rows if r["method"] == "supervised")
    assert majority["pseudo_label_accuracy"] is majority["first_accuracy"] is None


def test_the_accuracies_are_those_of_the_cell(digits: Dataset, tmp_path: Path) -> None:
    bench = plan(digits, ["centroid"], ["open-set-3"], seeds=1)
    row = run_bench(bench, tmp_path / "b")[0]
    from credprop.bench import draw_cell

    d = digits
    cell = draw_cell(d.x, d.y, d.test_x, d.test_y, bench.tasks[0].scenario, 0)
    learned = tiny_methods.centroid(cell.data(), None, 0)
    right = learned.predict(torch.from_numpy(d.test_x[cell.test_rows])).numpy() == cell.test_truth
    assert row["accuracy"] == right.mean()
    assert learned.pseudo_labels is not None
    hidden = (cell.labels < 0) & (cell.truth >= 0)  # outliers have no class to be right about
    assert row["pseudo_label_accuracy"] == (learned.pseudo_labels.numpy() == cell.truth)[hidden].mean()
