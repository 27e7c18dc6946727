"""Text that is safe to show, and JSON that is safe to write."""

import json
import math

import numpy as np
import pytest

from credprop.report.formatting import clean, percent, plain, points, shorten


def test_text_that_cannot_be_written_or_that_reorders_the_page_is_replaced() -> None:
    assert clean("a\x00b\ud800c\u202ed") == "a�b?c�d"


@pytest.mark.parametrize("text", ["猫", "naïve", "👩‍🔬 emoji", "שלום", "two\nlines"])
def test_text_of_any_script_stays_as_it_is(text: str) -> None:
    assert clean(text) == text


def test_a_long_text_is_cut_to_its_width_and_says_so() -> None:
    assert shorten("x" * 300, 10) == "x" * 9 + "…"
    assert shorten(" a \n b ", 10) == "a b"


def test_arrays_and_values_that_are_not_finite_become_json() -> None:
    value = {1: np.array([1.5, np.nan]), "b": (np.int64(2), np.bool_(True), math.inf), "c": {"d": object}}
    text = json.dumps(plain(value), allow_nan=False)
    assert json.loads(text)["1"] == [1.5, None]
    assert json.loads(text)["b"] == [2, True, None]


def test_shares_and_differences_are_formatted_as_text() -> None:
    assert percent(0.9321) == "93.2\u202f%"
    assert points(-0.012) == "\N{MINUS SIGN}1.2"
