"""Scenarios, named data sets, the runner and its results: how methods fare when data is not what it seems."""

from credprop.bench.cells import Cell, class_counts, class_order, export_cell, make_cell
from credprop.bench.datasets import Dataset, dataset_names, load_dataset
from credprop.bench.encode import prepare_dataset
from credprop.bench.page_data import digest
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
    "digest",
    "export_cell",
    "load_dataset",
    "make_cell",
    "plan_bench",
    "prepare_dataset",
    "read_about",
    "read_results",
    "run_bench",
    "scenarios",
    "summarize",
]
