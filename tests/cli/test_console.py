"""Durations and stages as text."""

import pytest

from credprop.cli.console import format_duration


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (150, "2 min"), (6000, "1.7 h")])
def test_durations_are_rounded_for_reading(seconds: float, words: str) -> None:
    assert format_duration(seconds) == words
