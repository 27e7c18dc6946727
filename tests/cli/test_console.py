"""Durations and stages as text."""

import pytest

from credprop.cli.console import format_duration


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (150, "2 min"), (6000, "1.7 h")])
def test_spans_of_time_are_said_as_people_do(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words
