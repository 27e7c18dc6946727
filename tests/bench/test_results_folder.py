"""A bench folder is continued, and never mixed with another bench."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from credprop.bench import Dataset, load_dataset, plan_bench, read_about, read_results, run_bench
from credprop.bench.results_folder import RESULTS, open_results, run_key
from credprop.bench.run_cell import Bench


@pytest.fixture(scope="module")
def digits() -> Dataset:
    """Few of them, for speed."""
    return load_dataset("digits", rows=600)


def plan(data: Dataset, methods: list[str], cells: list[str], seeds: int = 2, **more: Any) -> Bench:
    return plan_bench(data, methods, cells, range(seeds), module="bench.tiny_methods", **more)


def test_half_a_line_is_cut_off_and_its_run_repeated(digits: Dataset, tmp_path: Path) -> None:
    bench = plan(digits, ["supervised"], ["base"], seeds=3)
    rows = run_bench(bench, tmp_path / "b")
    path = tmp_path / "b" / RESULTS
    path.write_bytes(path.read_bytes()[:-9])
    assert read_results(tmp_path / "b") == rows[:2]
    again = run_bench(bench, tmp_path / "b")
    assert [run_key(row) for row in again] == [run_key(row) for row in rows]
    assert all(json.loads(line) for line in path.read_text().splitlines())


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"x": "other"}, "data"),
        ({"rows": 500}, "training rows, data"),
        ({"preset": "cifar10"}, "preset"),
    ],
)
def test_the_folder_of_another_bench_is_refused(
    digits: Dataset, tmp_path: Path, change: dict[str, Any], word: str
) -> None:
    run_bench(plan(digits, ["supervised"], ["base"]), tmp_path / "b")
    before = (tmp_path / "b" / RESULTS).read_bytes()
    data = load_dataset("digits", rows=change["rows"]) if "rows" in change else digits
    data = dataclasses.replace(data, x=data.x + 1) if "x" in change else data
    other = plan(data, ["supervised"], ["base"], preset=change.get("preset", "auto"))
    with pytest.raises(ValueError, match=f"was created with different {word}"):
        run_bench(other, tmp_path / "b")
    assert (tmp_path / "b" / RESULTS).read_bytes() == before


def test_a_folder_of_other_files_a_file_and_a_busy_folder_are_refused(
    digits: Dataset, tmp_path: Path
) -> None:
    bench = plan(digits, ["supervised"], ["base"])
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "thesis.txt").touch()
    with pytest.raises(ValueError, match="not part of a bench"):
        run_bench(bench, tmp_path / "own")
    with pytest.raises(ValueError, match="is a file"):
        run_bench(bench, tmp_path / "own" / "thesis.txt")
    with (
        open_results(tmp_path / "b", bench.identity(), set()),
        pytest.raises(ValueError, match="another bench"),
    ):
        run_bench(bench, tmp_path / "b")


def test_a_line_that_is_no_row_is_named(digits: Dataset, tmp_path: Path) -> None:
    run_bench(plan(digits, ["supervised"], ["base"]), tmp_path / "b")
    with (tmp_path / "b" / RESULTS).open("a") as file:
        file.write("{}\n")
    with pytest.raises(ValueError, match=r"results\.jsonl:3 is not a result"):
        read_results(tmp_path / "b")


def test_each_command_is_stored_once(digits: Dataset, tmp_path: Path) -> None:
    for command in ("first", "second", "first"):
        run_bench(
            dataclasses.replace(plan(digits, ["supervised"], ["base"]), command=command), tmp_path / "b"
        )
    about = read_about(tmp_path / "b")
    assert about["commands"] == ["first", "second"]
    assert about["training rows"] == 600
    assert read_about(tmp_path) == {}
    (tmp_path / "b" / "bench.json").write_text("{")
    with pytest.raises(ValueError, match=r"bench.json cannot be read"):
        read_about(tmp_path / "b")
