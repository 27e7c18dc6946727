"""Cells and names as text."""

from credprop.report.of_bench.bench_formatting import grouped, listed


def test_cells_and_names_are_listed_as_text() -> None:
    assert grouped(["base", "few-label-1", "few-label-3", "my-cell"]) == "base, few-label 1 3, my-cell"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed(list("abcdef"), 4) == "a, b, c and 3 more"
