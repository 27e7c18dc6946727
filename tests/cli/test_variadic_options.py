"""Options that accept several values."""

from pathlib import Path

from cli.shell import credprop, error_line, table
from credprop.cli.variadic_options import spread


def test_features_stand_in_a_row_or_one_by_one(tmp_path: Path) -> None:
    data, out = table(tmp_path), str(tmp_path / "run")
    in_a_row = [str(data), "--features", "z", "a", "--label", "y", "--out", out]
    one_by_one = ["--features", "a", "--features", "z", "--out", out, "--label", "y", str(data)]
    for call in (in_a_row, one_by_one):
        assert "no column 'z'" in error_line(credprop("fit", *call))


def test_several_values_may_follow_an_option() -> None:
    options = {"--method", "--scenario"}
    assert spread(["--method", "a", "b", "--rows", "3", "--scenario=c", "d", "-q"], options) == [
        *("--method", "a", "--method", "b", "--rows", "3", "--scenario=c", "--scenario", "d", "-q")
    ]
    assert spread(["--method", "a", "--method", "b"], options) == ["--method", "a", "--method", "b"]
