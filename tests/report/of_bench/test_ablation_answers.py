"""The answers of the ablations."""

from typing import Any

from credprop.bench import make_page_data
from credprop.report.of_bench import make_comparison
from report.example_benches import ABOUT, make_row

Rows = list[dict[str, Any]]


def content_of(rows: Rows, about: dict[str, Any] | None = None) -> dict[str, Any]:
    return make_comparison(make_page_data(rows), ABOUT if about is None else about, "0.1.0")


def small(**accuracies: dict[str, float]) -> Rows:
    """One seed of these methods, underscores in place of hyphens, in these cells."""
    return [
        make_row(name.replace("_", "-"), cell, accuracy=value, first_accuracy=None)
        for name, cells in accuracies.items()
        for cell, value in cells.items()
    ]


def test_ablations_are_answers_in_words() -> None:
    rows = small(
        ccp_alone={"base": 0.9, "few-label-1": 0.8},
        ccp_no_reset={"base": 0.88, "few-label-1": 0.8},
        seal={"base": 0.91},
        ccp_subsample_final={"base": 0.9},
    )
    answers = {row["name"]: row for row in content_of(rows)["answers"]}
    assert answers["ccp-no-reset"]["accuracy"] == "1.0 point lower"
    assert answers["ccp-no-reset"]["cells"] == "lower than ccp-alone in 1 of 2 cells"
    assert answers["seal"]["accuracy"] == "1.0 point higher"
    assert answers["ccp-subsample-final"]["accuracy"] == "no difference"
