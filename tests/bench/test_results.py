"""The summary of a bench, on numbers that can be checked by hand."""

import json
from typing import Any

import pytest

from bench.example_rows import ROWS, row
from credprop.bench import summarize
from credprop.bench.results import (
    against_baseline,
    below_baseline,
    mean_rank,
    mean_scores,
    normalized,
    worst_regret,
)


def close(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        assert found[name] == pytest.approx(value), name


def test_the_table_holds_means_over_seeds_in_order() -> None:
    scores = mean_scores(ROWS[::-1])
    assert list(scores) == ["supervised", "ccp", "other", "control"]
    assert list(scores["ccp"]) == ["base", "few-label-1", "open-set-2"]
    close(scores["ccp"], {"base": 0.95, "few-label-1": 0.7, "open-set-2": 0.55})


def test_normalized_scores_are_multiples_of_the_base_case() -> None:
    scores = {"a": {"base": 0.8, "few-label-1": 0.6}, "no base": {"few-label-1": 0.6}, "nil": {"base": 0.0}}
    assert normalized(scores).keys() == {"a"}
    close(normalized(scores)["a"], {"base": 1.0, "few-label-1": 0.75})


def test_cells_below_the_baseline_are_named() -> None:
    scores = mean_scores(ROWS)
    assert below_baseline(scores) == {"ccp": ["open-set-2"], "other": ["base"], "control": []}
    assert below_baseline({"ccp": {"base": 0.5}}) == {}


def test_regret_is_to_the_best_ranked_method_where_it_is_worst() -> None:
    close(worst_regret(mean_scores(ROWS)), {"supervised": 0.15, "ccp": 0.05, "other": 0.2})


def test_ranks_are_means_over_cells_and_control_has_none() -> None:
    # base: ccp, supervised, other; few-label-1: ccp, other, supervised; open-set-2: two share the first place
    close(
        mean_rank(mean_scores(ROWS)),
        {"supervised": (2 + 3 + 1.5) / 3, "ccp": (1 + 1 + 3) / 3, "other": (3 + 2 + 1.5) / 3},
    )


def test_a_method_is_ranked_in_the_cells_it_has() -> None:
    assert mean_rank({"a": {"base": 0.9, "few-label-1": 0.1}, "b": {"base": 0.8}}) == {"a": 1, "b": 2}
    assert worst_regret({"a": {"base": 0.9, "few-label-1": 0.1}, "b": {"base": 0.8}})["a"] == 0


def test_differences_to_the_baseline_are_paired_and_tested_with_correction() -> None:
    tests = against_baseline(ROWS)
    assert tests.keys() == {"ccp", "other"}
    ccp, other = tests["ccp"], tests["other"]
    assert ccp["mean"] == pytest.approx((0.1 + 0.1 - 0.1 + 0.0 + 0.2 + 0.1) / 6)
    assert ccp["pairs"] == 6
    assert ccp["interval"] == pytest.approx((0.2 / 3 - 0, 0.2 / 3 + 0))  # both seeds: 0.2 / 3
    assert ccp["p_holm"] == pytest.approx(min(1, 2 * min(ccp["p_value"], other["p_value"])))
    assert other["p_holm"] >= other["p_value"]


def test_only_pairs_that_both_have_count() -> None:
    rows = [row("supervised", "base", 0, 0.5), row("ccp", "base", 0, 0.7), row("ccp", "base", 1, 0.1)]
    assert against_baseline(rows)["ccp"]["pairs"] == 1
    assert against_baseline(rows[1:]) == {}


def test_failed_runs_are_counted_and_enter_nothing() -> None:
    rows = [
        *ROWS,
        row("ccp", "base", 2, None, error="it broke"),
        row("new", "base", 0, None, error="it broke"),
    ]
    summary = summarize(rows)
    assert (summary["runs"], summary["errors"]) == (26, 2)
    assert "new" not in summary["methods"]
    assert summary["methods"]["ccp"]["accuracy"] == mean_scores(ROWS)["ccp"]


def test_the_summary_is_plain_json_with_every_figure() -> None:
    summary = summarize(ROWS)
    assert json.loads(json.dumps(summary))["cells"] == ["base", "few-label-1", "open-set-2"]
    own = summary["methods"]["ccp"]
    assert summary["seeds"] == [0, 1]
    assert own["below"] == ["open-set-2"]
    assert own["cells_below"]["value"] == 1
    assert own["cells_below"]["interval"] == pytest.approx((0.5 - 12.7062 / 2, 0.5 + 12.7062 / 2), rel=1e-4)
    assert own["normalized"]["few-label-1"] == pytest.approx(0.7 / 0.95)
    assert own["interval"]["few-label-1"] == pytest.approx((0.7, 0.7))
    assert own["seconds"] == 2
    control = summary["methods"]["control"]
    assert control["mean_rank"] is control["worst_regret"] is control["difference"] is None
    assert summarize([])["methods"] == {}
