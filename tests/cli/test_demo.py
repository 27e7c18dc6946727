"""`credprop demo` finds wrong labels and outliers in digits."""

import json
from pathlib import Path

import pytest

from cli.shell import (
    contents,
)
from credprop.cli.console import Console
from credprop.cli.demo import make_job, run_demo
from credprop.report.certified import certified

FILES = [
    "README.md",
    "config.json",
    "history.jsonl",
    "labels.csv",
    "metrics.json",
    "model.safetensors",
    "report.html",
    "report.json",
]


def test_the_demo_has_the_data_it_describes() -> None:
    job = make_job(0)
    assert job.truth is not None
    labeled = [(label, true) for label, true in zip(job.y, job.truth, strict=True) if label is not None]
    assert len(labeled) == 48
    assert sum(label != true for label, true in labeled) == 14
    assert {label for label, _ in labeled} == set(range(6))
    assert all(true is not None for _, true in labeled)
    assert job.truth.count(None) > 400
    assert job.y != make_job(1).y


def test_the_demo_prints_its_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run {0}"
    run_demo(run, 0, Console(), overwrite=False, budget=0.001)
    shown = capsys.readouterr()
    assert "48 labels in\ntotal, and 14 of them are wrong" in shown.err
    values = json.loads((run / "metrics.json").read_text())
    assert values["certificate"]["hidden"] == 48
    report = run / "report.html"
    lines = ("supervised baseline", "CCP", *certified(values), "Label issues", "Outliers", str(report))
    for words in lines:
        assert words in shown.out
    keys = {"test_accuracy", "test_accuracy_supervised", "label_issue_precision", "label_issue_recall"}
    assert values.keys() >= keys | {"seconds", "true_outliers", "outliers_found"}
    assert report.is_file()
    assert sorted(contents(run)) == FILES
