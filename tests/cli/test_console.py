"""Durations and stages as text."""

import pytest

from credprop.ccp import Progress
from credprop.cli.console import describe, format_duration


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (150, "2 min"), (6000, "1.7 h")])
def test_durations_are_rounded_for_reading(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words


def test_a_stage_is_named_with_the_part_of_the_run_that_it_belongs_to() -> None:
    refining = Progress("refine", 2, 5, 1, 10, 0.5, 30, 100)
    assert describe(refining) == "refining labels 2/5"
    part = refining.within("trial, fold 1/4, ccp", 130, 1000)
    assert describe(part) == "trial, fold 1/4, ccp: refining labels 2/5"
    assert (part.done, part.planned, part.epoch) == (130, 1000, 1)
