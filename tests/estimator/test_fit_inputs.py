"""Rows are prepared once, with progress."""

from credprop.ccp import Progress
from estimator.small import (
    TEXT_LABELS,
    TEXTS,
    quick,
)
from text_world import ROWS, Counter


def test_progress_is_reported_while_rows_are_encoded() -> None:
    told: list[Progress] = []
    quick(encoder=Counter("3"), callback=told.append).fit(TEXTS, TEXT_LABELS)
    assert told[0].stage == "encode"
    done = [p for p in told if p.stage == "encode"][-1]
    assert (done.done, done.planned) == (ROWS, ROWS)
    assert told[-1].stage == "build"


def test_rows_are_encoded_once_for_fitting_and_predicting() -> None:
    counter = Counter("4")
    fitted = quick(encoder=counter).fit(TEXTS, TEXT_LABELS)
    fitted.predict(TEXTS)
    assert sorted(counter.asked) == sorted(set(TEXTS))
