"""The sentences on the certificate and on the rows to trust."""

from typing import Any

import pytest

from credprop.report import make_content, render
from credprop.report.certified import certified, comparison, conclusion
from credprop.report.verdict import judge
from report.example_runs import make_evidence
from report.test_page import Page

BETTER: dict[str, Any] = {
    "metric": "accuracy",
    "supervised": 0.8,
    "linear": 0.75,
    "ccp": 0.9,
    "baseline": "supervised",
    "difference": 0.1,
    "low": 0.021,
    "high": 0.179,
    "p_value": 0.01,
    "decided_by": 30,
    "folds": 4,
    "hidden": 1200,
    "shipped": "blend",
    "weights": {"supervised": 0.2, "ccp": 0.8},
    "note": "Measured by hiding given labels.",
    "proven": True,
}
LEVEL = BETTER | {"ccp": 0.81, "difference": 0.01, "low": -0.04, "high": 0.06, "proven": False}
WORSE = BETTER | {"ccp": 0.7, "difference": -0.1, "low": -0.15, "high": -0.05, "proven": False}
RIGHT = {"share": 0.953, "low": 0.9, "high": 0.98}


def test_a_win_that_is_proven_is_a_win() -> None:
    assert conclusion(BETTER) == "Better than the supervised baseline."
    assert comparison(BETTER) == (
        "On 1,200 hidden labels: accuracy 90.0\u202f% against 80.0\u202f% "
        "(+10.0 points, 95 % interval +2.1 to +17.9)."
    )
    linear = BETTER | {"baseline": "linear"}
    assert conclusion(linear) == "Better than a linear model."
    assert "against 75.0\u202f%" in comparison(linear)


def test_a_lead_that_may_be_luck_is_not_proven() -> None:
    assert conclusion(LEVEL) == "Not proven better than the supervised baseline."
    assert "(+1.0 points, 95 % interval -4.0 to +6.0)" in comparison(LEVEL)
    assert conclusion(BETTER | {"proven": False}) == "Not proven better than the supervised baseline."


def test_a_loss_is_told_and_whether_the_baseline_is_used_instead() -> None:
    assert conclusion(WORSE) == "Worse than the supervised baseline."
    shipped = WORSE | {"shipped": "supervised"}
    assert conclusion(shipped) == "Worse than the supervised baseline, which is therefore used."
    linear = WORSE | {"shipped": "linear", "baseline": "linear"}
    assert conclusion(linear) == "Worse than a linear model, which is therefore used."


@pytest.mark.parametrize(
    ("metric", "name"),
    [("accuracy", "accuracy"), ("balanced-accuracy", "balanced accuracy"), ("macro-f1", "macro F1")],
)
def test_the_metric_is_named_in_words(metric: str, name: str) -> None:
    assert f"hidden labels: {name} 90.0" in comparison(BETTER | {"metric": metric})


def test_without_a_certificate_there_is_a_sentence_on_why() -> None:
    for metrics in ({}, {"certificate": None, "trusted_rows": 5}):
        assert certified(metrics) == [
            "No certificate: no label could be hidden, or the trial was switched off."
        ]


def test_rows_to_trust_come_with_the_share_that_is_expected_to_be_right() -> None:
    first, second, third = certified({"certificate": BETTER, "trusted_rows": 1234, "trusted_right": RIGHT})
    assert (first, second) == (conclusion(BETTER), comparison(BETTER))
    assert third == (
        "Rows to trust: 1,234 unlabeled ones, 95.3\u202f% of them expected to be right "
        "(90.0\u202f% to 98.0\u202f%)."
    )


@pytest.mark.parametrize("metrics", [{}, {"trusted_rows": 0, "trusted_right": RIGHT}, {"trusted_rows": 3}])
def test_where_no_row_is_to_be_trusted_a_sentence_says_so(metrics: dict[str, Any]) -> None:
    sentences = certified({"certificate": BETTER} | metrics)
    assert sentences[2:] == ["No unlabeled row is confident enough to trust."]


@pytest.mark.parametrize(
    ("certificate", "tone", "headline"),
    [
        (BETTER, "ahead", "Better than the supervised baseline"),
        (LEVEL, "level", "Not proven better than the supervised baseline"),
        (WORSE, "behind", "Worse than the supervised baseline"),
        (
            WORSE | {"shipped": "supervised"},
            "behind",
            "Worse than the supervised baseline, which is therefore used",
        ),
    ],
)
def test_without_held_out_rows_the_certificate_decides(
    certificate: dict[str, Any], tone: str, headline: str
) -> None:
    verdict = judge({"certificate": certificate, "trusted_rows": 9, "trusted_right": RIGHT})
    assert (verdict["tone"], verdict["headline"]) == (tone, headline)
    sentences = verdict["sentences"]
    assert sentences[0] == comparison(certificate)
    assert sentences[1].startswith("Rows to trust: 9 unlabeled ones")
    assert sentences[2] == certificate["note"]
    assert [bar["share"] for bar in verdict["bars"]] == [certificate["ccp"], 0.8]


def test_held_out_rows_decide_and_the_certificate_follows() -> None:
    verdict = judge({"certificate": WORSE, "test_accuracy": 0.9, "test_accuracy_supervised": 0.8})
    assert (verdict["tone"], verdict["headline"]) == (
        "ahead",
        "10.0 points better than the supervised baseline",
    )
    assert verdict["sentences"][-3:] == certified({"certificate": WORSE})
    alone = judge({"test_accuracy": 0.9, "test_accuracy_supervised": 0.8})
    assert alone["sentences"][-1].startswith("No certificate")


def test_the_bars_are_named_after_the_baseline_that_they_show() -> None:
    linear = LEVEL | {"baseline": "linear", "linear": 0.805}
    names = [(bar["name"], bar["share"]) for bar in judge({"certificate": linear})["bars"]]
    assert names == [("CCP", 0.81), ("linear model", 0.805)]


def test_the_page_shows_the_sentences() -> None:
    metrics = {"rows": 40, "certificate": BETTER, "trusted_rows": 9, "trusted_right": RIGHT}
    page = Page(render(make_content(make_evidence(metrics=metrics))))
    text = " ".join(" ".join(page.text).split())
    assert "Better than the supervised baseline" in text
    assert " ".join(comparison(BETTER).split()) in text
