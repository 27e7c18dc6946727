"""The content is JSON, of bounded size, and true to the arrays."""

import json
from typing import Any

import numpy as np
import pytest

from credprop.report import make_content
from credprop.report.projection import choose_points
from report.example_runs import make_evidence


@pytest.mark.parametrize("kind", ["vectors", "images", "text"])
def test_the_content_is_json_and_survives_it(kind: str) -> None:
    content = make_content(make_evidence(kind=kind))
    assert json.loads(json.dumps(content, allow_nan=False)) == content


def test_the_content_is_the_same_every_time() -> None:
    assert make_content(make_evidence(n=80)) == make_content(make_evidence(n=80))


def test_the_content_is_bounded_whatever_the_number_of_rows_and_classes() -> None:
    names = [f"class number {i} with a name that never ends {'x' * 1000}" for i in range(100)]
    long = "word " * 100_000
    other: dict[str, Any] = {"texts": [long] * 6_000, "embedding": np.zeros((6_000, 4)), "epochs": 2_000}
    evidence = make_evidence(n=6_000, classes=names, kind="text", **other)
    assert len(choose_points(evidence)) == 2_000
    content = make_content(evidence)
    assert len(content["issues"]) == len(content["outliers"]) == 24
    assert len(content["distribution"]["rows"]) == 31
    assert sum(len(line["x"]) for line in content["losses"]) <= 1_600
    assert len(json.dumps(content)) < 1_000_000


def test_bars_count_given_refined_and_true_classes() -> None:
    truth = np.array([0, 0, 1, 1, -1])
    q = np.array([[1, 0], [0.5, 0], [0, 0.2], [0, 0], [0.1, 0]])
    evidence = make_evidence(n=5, classes=("a", "b"), q=q, truth=truth, given=np.array([0, 1, -1, -1, -1]))
    distribution = make_content(evidence)["distribution"]
    assert distribution["rows"] == [
        {"name": "a", "classes": 1, "given": 1, "refined": 3, "truth": 2},
        {"name": "b", "classes": 1, "given": 1, "refined": 1, "truth": 2},
    ]
    assert distribution["none"] == 1


def test_many_classes_keep_their_sum_in_the_bars() -> None:
    distribution = make_content(make_evidence(n=300, classes=[str(i) for i in range(100)]))["distribution"]
    assert sum(row["refined"] for row in distribution["rows"]) == distribution["totals"]["refined"] == 270
    assert distribution["rows"][-1]["name"] == "70 others"


def test_histograms_count_every_sample_with_credibility_once() -> None:
    evidence = make_evidence(n=40, truth=np.arange(40) % 3)
    strengths = make_content(evidence)["strengths"]
    assert sum(map(sum, strengths["verdicts"].values())) == sum(map(sum, strengths["truth"].values())) == 36
    assert strengths["zero"] == 4


def test_the_share_labeled_is_of_the_samples_that_could_be() -> None:
    evidence = make_evidence(n=40)
    assert make_content(evidence)["iterations"][0]["share"] == 36 / 40
    clamped = np.where((evidence.given >= 0)[:, None], np.eye(3)[evidence.given], evidence.q)
    history = [{"stage": "refine", "iteration": 1, "epoch": 1, "loss": 1.0, "p": 3, "labeled": 11}]
    trusted = make_evidence(n=40, q=clamped, history=history)
    assert make_content(trusted)["iterations"][0]["share"] == 11 / 22


def test_the_worst_label_comes_first_with_the_suggested_class() -> None:
    evidence = make_evidence(n=40)
    evidence.frame.loc[13, "label_quality"] = -1.0
    worst = make_content(evidence)["issues"][0]
    assert worst["id"] == "row 13"
    assert (worst["given"], worst["says"]) == ("eel", "dog")


def test_the_likeliest_outlier_comes_first() -> None:
    evidence = make_evidence(n=40)
    evidence.frame.loc[29, "outlier_score"] = 5.0
    assert make_content(evidence)["outliers"][0]["id"] == "row 29"
