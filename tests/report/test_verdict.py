"""The verdict claims no more than the evidence."""

import pytest

from credprop.report import make_content
from credprop.report.verdict import judge
from report.example_runs import make_evidence


@pytest.mark.parametrize(
    ("ccp", "alone", "tone", "headline"),
    [
        (0.932, 0.751, "ahead", "18.1 points better than the supervised baseline"),
        (0.80, 0.81, "behind", "1.0 point worse than the supervised baseline"),
        (0.8001, 0.8, "level", "As good as the supervised baseline"),
    ],
)
def test_a_test_set_decides(ccp: float, alone: float, tone: str, headline: str) -> None:
    verdict = judge({"test_accuracy": ccp, "test_accuracy_supervised": alone})
    assert (verdict["tone"], verdict["headline"]) == (tone, headline)
    assert [bar["share"] for bar in verdict["bars"]] == [ccp, alone]


def test_without_evidence_the_verdict_says_so_and_how_to_get_some() -> None:
    verdict = judge({})
    assert verdict["tone"] == "unknown"
    assert "no rows were held out" in verdict["headline"]
    assert "--test FILE" in " ".join(verdict["sentences"])
    assert verdict["bars"] == []


def test_an_accuracy_without_a_baseline_is_no_comparison() -> None:
    verdict = judge({"test_accuracy": 0.9, "test_accuracy_supervised": None})
    assert verdict["tone"] == "unknown"
    assert "not measured" in verdict["sentences"][0]


def test_the_findings_count_labels_outliers_and_new_labels() -> None:
    evidence = make_evidence(n=40)  # 18 given, 4 of them wrong; 4 outliers; 18 of 22 others get a class
    suspicious, outliers, labeled, _ = make_content(evidence)["verdict"]["findings"]
    assert (suspicious["value"], suspicious["meaning"]) == ("4", "label issues among 18 given labels")
    assert (outliers["value"], outliers["meaning"]) == ("4", "outliers among 40 rows")
    assert (labeled["value"], labeled["meaning"]) == ("18", "of 22 unlabeled rows now have a refined label")


def test_precision_and_recall_are_shown_where_the_truth_is_known() -> None:
    metrics = {"label_issue_precision": 0.75, "label_issue_recall": 0.5}
    finding = make_content(make_evidence(metrics=metrics))["verdict"]["findings"][0]
    assert finding["note"] == "75.0\u202f% of them are wrong labels; 50.0\u202f% of all wrong labels found"
