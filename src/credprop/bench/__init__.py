"""Compare methods on labeled data with simulated problems: scenarios, data sets, runner and results."""

from credprop.bench.cells import Cell, class_counts, class_order, draw_cell, export_cell
from credprop.bench.datasets import Dataset, dataset_names, load_dataset
from credprop.bench.encode import prepare_dataset
from credprop.bench.page_data import make_page_data
from credprop.bench.results import summarize
from credprop.bench.results_folder import read_about, read_results
from credprop.bench.runner import Progress, plan_bench, run_bench
from credprop.bench.scenarios import Rules, Scenario, choose_scenarios, scenarios

__all__ = [
    "Cell",
    "Dataset",
    "Progress",
    "Rules",
    "Scenario",
    "choose_scenarios",
    "class_counts",
    "class_order",
    "dataset_names",
    "draw_cell",
    "export_cell",
    "load_dataset",
    "make_page_data",
    "plan_bench",
    "prepare_dataset",
    "read_about",
    "read_results",
    "run_bench",
    "scenarios",
    "summarize",
]
