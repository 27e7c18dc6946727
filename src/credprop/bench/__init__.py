"""Scenarios, named data sets, the runner and its results: how methods fare when data is not what it seems."""

from credprop.bench.cells import Cell, class_counts, class_order, export_cell, make_cell
from credprop.bench.scenarios import Rules, Scenario, choose_scenarios, scenarios

__all__ = [
    "Cell",
    "Rules",
    "Scenario",
    "choose_scenarios",
    "class_counts",
    "class_order",
    "export_cell",
    "make_cell",
    "scenarios",
]
