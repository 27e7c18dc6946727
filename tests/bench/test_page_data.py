"""The data of the page of a bench, on rows that can be checked by hand."""

import json
from typing import Any

import pytest

from bench.example_rows import ROWS, row
from credprop.bench import make_page_data, summarize
from credprop.bench.page_data import best_methods, chosen_per_cell, curves, examples, variances
from credprop.bench.results import UNRANKED
from credprop.methods import ABLATIONS


def test_the_chosen_variant_differs_with_noisy_labels_and_with_outliers() -> None:
    rows = [
        row("supervised", "base", 0, 0.80),
        row("ccp-alone", "base", 0, 0.85, first_accuracy=0.1),
        row("ccp-untrusted", "base", 0, 0.1),
        row("supervised", "noisy-label-2", 0, 0.60),
        row("ccp-alone", "noisy-label-2", 0, 0.1),
        row("ccp-untrusted", "noisy-label-2", 0, 0.55, first_accuracy=0.2),
        row("supervised", "open-set-3", 0, 0.70),
        row("ccp-alone", "open-set-3", 0, 0.1, first_accuracy=0.75),
        row("fixmatch", "open-set-3", 0, 0.79),
        row("supervised", "open-set-1", 0, 0.70),
    ]
    found = chosen_per_cell(rows)
    assert {c: own["accuracy"] for c, own in found["cells"].items()} == {
        "base": 0.85,
        "open-set-3": 0.75,
        "noisy-label-2": 0.55,
    }
    assert [own["method"] for own in found["cells"].values()] == ["ccp-alone", "ccp-alone", "ccp-untrusted"]
    assert [own["first"] for own in found["cells"].values()] == [False, True, False]
    assert [own["below"] for own in found["cells"].values()] == [False, False, True]
    assert found["cells"]["open-set-3"]["regret"] == pytest.approx(0.04)
    assert found["cells"]["noisy-label-2"]["difference"] == pytest.approx(-0.05)
    assert found["missing"] == ["open-set-1"]
    assert found["test"]["mean"] == pytest.approx(0.05 / 3)
    assert found["test"]["pairs"] == 3


def test_without_a_baseline_or_without_ccp_there_is_nothing_to_compare() -> None:
    alone = chosen_per_cell([row("ccp-alone", "base", 0, 0.9)])
    assert alone["cells"]["base"]["difference"] is alone["test"] is None
    assert not alone["cells"]["base"]["below"]
    other = chosen_per_cell([row("supervised", "base", 0, 0.9)])
    assert (other["cells"], other["missing"], other["test"]) == ({}, ["base"], None)


def test_the_best_of_a_cell_are_all_that_reach_the_highest_accuracy() -> None:
    best = best_methods(ROWS)
    assert best["base"] == {"accuracy": pytest.approx(0.95), "methods": ["ccp"]}
    assert best["open-set-2"]["methods"] == ["supervised", "other"]  # control is not ranked


def test_curves_are_means_over_seeds_iteration_by_iteration() -> None:
    def history(*accuracies: float) -> list[dict[str, Any]]:
        return [
            {"iteration": m, "pseudo_label_accuracy": a, "p": 10 * m} for m, a in enumerate(accuracies, 1)
        ]

    rows = [
        row("ccp-alone", "base", 0, 0.9, history=history(0.5, 0.7)),
        row("ccp-alone", "base", 1, 0.9, history=history(0.6, 0.8, 0.9)),
        row("logistic", "base", 0, 0.9, history=[]),
    ]
    found = curves(rows)
    assert found.keys() == {"ccp-alone"}
    assert found["ccp-alone"]["base"]["iteration"] == [1, 2, 3]
    assert found["ccp-alone"]["base"]["pseudo_label_accuracy"] == pytest.approx([0.55, 0.75, 0.9])
    assert found["ccp-alone"]["base"]["p"] == [10, 20, 30]
    assert found["ccp-alone"]["base"]["strength_right"] == [None, None, None]


def watched(single: float, *kinds: str) -> dict[str, Any]:
    return {
        "iterations": [1, 1],
        "samples": [{"kind": kind, "own": [0.1, 0.2], "other": [0.0, 0.1]} for kind in kinds],
        "variance": [{"iteration": 1, "epochs": 2, "single": single, "mean": single / 2}],
    }


def test_variances_are_means_over_runs_and_examples_come_from_many_cells() -> None:
    rows = [
        row("ccp-alone", "base", 0, 0.9, history=[], watched=watched(0.2, "wrong", "wrong", "right")),
        row("ccp-alone", "few-label-1", 0, 0.9, history=[], watched=watched(0.4, "wrong")),
        row("ccp-alone", "open-set-1", 0, 0.9, history=[], watched=watched(0.6, "outlier", "outlier")),
        row("supervised", "base", 0, 0.9, history=[], watched=None),
    ]
    assert variances(rows)["ccp-alone"] == [
        {"iteration": 1, "epochs": 2, "single": pytest.approx(0.4), "mean": pytest.approx(0.2)}
    ]
    found = examples(rows)
    assert [(s["kind"], s["cell"]) for s in found] == [
        *(("wrong", "base"), ("wrong", "few-label-1"), ("wrong", "base")),
        *(("right", "base"), ("outlier", "open-set-1")),
    ]
    assert variances(rows[3:]) == {}
    assert examples(rows[3:]) == []


def test_ablations_are_shown_and_not_ranked() -> None:
    changed = [row("ccp-no-reset", r["scenario"], 0, 0.99) for r in ROWS if r["scenario"] == "base"]
    found = summarize([*ROWS, *changed])["methods"]
    assert list(found)[-2:] == ["ccp-no-reset", "control"]
    assert found["ccp-no-reset"]["mean_rank"] is None
    assert found["ccp"]["mean_rank"] == summarize(ROWS)["methods"]["ccp"]["mean_rank"]
    assert set(ABLATIONS) <= set(UNRANKED)


def test_page_data_is_plain_json_and_holds_failures_and_costs() -> None:
    rows = [r | {"history": [], "steps": 4, "samples": None} for r in ROWS]
    rows.append(row("ccp", "base", 2, None, error="it broke", history=[]))
    found = json.loads(json.dumps(make_page_data(rows)))
    assert found["failures"] == [{"cell": "base", "method": "ccp", "seed": 2, "error": "it broke"}]
    assert found["cost"]["ccp"] == {"seconds": 2, "samples": None, "steps": 4}
    assert list(found["scenarios"]) == ["base", "few-label", "open-set"]
    assert make_page_data([])["methods"] == {}
