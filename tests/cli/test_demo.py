"""`credprop demo` finds wrong labels and outliers in digits."""

import json
from pathlib import Path

import pytest

from cli.shell import (
    contents,
)
from credprop.cli.console import Console
from credprop.cli.demo import SUMMARY, make_job, run_demo

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
    run_demo(tmp_path / "run", 0, Console(json=True), overwrite=False, budget=0.001)
    shown = capsys.readouterr()
    assert "48 labels in\ntotal, and 14 of them are wrong" in shown.err
    values = json.loads(shown.out)
    Console().result(values, SUMMARY)
    printed = capsys.readouterr().out
    for words in ("supervised baseline", "CCP", "Label issues", "Outliers", values["report"]):
        assert words in printed
    keys = {"supervised_accuracy", "ccp_accuracy", "label_issue_precision", "label_issue_recall", "seconds"}
    assert values.keys() >= keys | {"report", "true_outliers", "outliers_found"}
    assert Path(values["report"]).is_file()
    assert sorted(contents(tmp_path / "run")) == FILES
