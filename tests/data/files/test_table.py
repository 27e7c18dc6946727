"""Which columns are numbers."""

from pathlib import Path

import pandas as pd

from credprop.data import read_source


def test_truth_values_count_as_numbers(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [True, False], "label": ["x", "y"]})
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    for name in ("t.csv", "t.parquet", "t.jsonl"):
        assert read_source(tmp_path / name, label="label").x.tolist() == [[1], [0]]


def test_an_empty_column_and_a_column_of_dates_are_left_out(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {"a": [4, 5], "e": [None, None], "d": pd.to_datetime(["2020-01-01"] * 2), "y": [0, 1]}
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    for name in ("t.csv", "t.parquet"):
        assert read_source(tmp_path / name, label="y").left_out == ("e", "d")
