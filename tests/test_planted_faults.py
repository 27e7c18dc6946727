"""The tests of the core catch the faults that the field's codes have: each is planted, one at a time."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FAULTS = {
    "strengths of the row in the normalizer": (
        "losses.py",
        "torch.add(log_s, phi",
        "torch.add(log_s[:, None], phi",
    ),
    "self-pairs kept in the normalizer": ("losses.py", ".fill_diagonal_(nobody)  # (n, n)", ""),
    "self-pairs kept in the matches": (
        "losses.py",
        "s.where(c[:, None] == c, 0).fill_diagonal_(0)",
        "s.where(c[:, None] == c, 0)",
    ),
    "gamma of another class": ("iteration.py", "gamma = mean.max()", "gamma = mean.min().abs()"),
    "adjustment against all classes": (
        "credibility.py",
        "scatter(1, winner, best - second)",
        "scatter(1, winner, best - best)",
    ),
    "agreement by chance counted": ("additions/label_regression.py", "(p - e.item()) / (1 - e.item())", "p"),
    "labels left out by the fit that knows them": (
        "additions/label_regression.py",
        "(inverse @ y) / inverse.diagonal()[:, None]",
        "(inverse @ y)",
    ),
    "sums in place of class means": (
        "additions/label_regression.py",
        "labels / labels.sum(dim=0).clamp(min=1)",
        "labels",
    ),
    "divergence in nats": ("subsampling.py", " / math.log(2)", " / 1"),
    "bound not strict": ("subsampling.py", "mass[0]) < d_max", "mass[0]) <= d_max"),
    "ranking by the clipped strength": (
        "iteration.py",
        "return mean.amax(dim=1)",
        "return consolidate(mean).amax(dim=1)",
    ),
    "product of means": ("losses.py", "_with_slope(weight * (top", "_with_slope(weight.mean() * (top"),
    "second view forgotten": ("propagation.py", "return (first + second) / 2", "return first"),
    "own vector left in the class sums": (
        "propagation.py",
        "(phi * s).scatter_(1, own[:, None], 0)",
        "(phi * s)",
    ),
    "own vector left in the class support": (
        "propagation.py",
        "of_class[mine] - wide[own]",
        "of_class[mine]",
    ),
    "other view not put back in the class support": (
        "propagation.py",
        "support.add_(own)), apart",
        "support), apart",
    ),
    "dense: own vector left in the class sums": (
        "propagation.py",
        "phi.scatter(1, own[:, None], 0) @ q",
        "phi @ q",
    ),
    "whole whitening": ("additions/settling.py", "** 0.25", "** 0.5"),
    "rounds that never subsample": (
        "additions/settling.py",
        "p_last=p_last, d_max=d_max)",
        "p_last=0, d_max=d_max)",
    ),
    "better by a standard error or less": ("additions/settling.py", "losses > errors", "losses >= errors"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_fails_a_test(fault: str, tmp_path: Path) -> None:
    file, old, new = FAULTS[fault]
    shutil.copytree(ROOT / "src", tmp_path / "src")
    planted = tmp_path / "src" / "credprop" / "functional" / file
    text = planted.read_text()
    assert text.count(old) == 1
    planted.write_text(text.replace(old, new))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        str(ROOT / "tests" / "functional"),
    ]
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "src")}
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stdout
    assert "1 failed" in run.stdout
