"""Texts are checked in one place: missing ones, blank ones, lone surrogates, other types."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from credprop.data.check_texts import check_texts


def test_strings_stay_as_they_are() -> None:
    texts = ["a b", "  spaces around  ", "NA", "\N{GRINNING FACE}", "a\0b", "é", "猫が好き"]
    assert check_texts(texts) == texts
    assert all(type(text) is str for text in check_texts(np.array(texts)))


@pytest.mark.parametrize(
    "missing", [None, np.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), "", " \n\t"], ids=repr
)
def test_missing_and_blank_texts_are_empty_and_noted_once_with_their_row(missing: Any) -> None:
    notes: list[str] = []
    assert check_texts(["a", missing, "b", missing], note=notes.append) == ["a", "", "b", ""]
    assert notes == ["row 1 is empty and read as empty text (rows like it: 2)"]


def test_two_halves_are_one_character_and_a_half_is_replaced_and_noted() -> None:
    notes: list[str] = []
    texts = check_texts(
        ["a", "\ud83d\ude00", "x\ud800y\udc00"], where="column 'c', ", first=1, note=notes.append
    )
    assert texts == ["a", "\N{GRINNING FACE}", "x�y�"]
    assert [text.encode() for text in texts]
    assert notes == [
        "column 'c', row 2 holds half a character (a lone surrogate), read as � (rows like it: 2)"
    ]
    assert check_texts(texts) == texts


@pytest.mark.parametrize("other", [3, 2.5, True, b"a", ["a"], {"a": 1}, np.zeros(2)], ids=repr)
def test_anything_else_is_refused_with_its_row(other: Any) -> None:
    with pytest.raises(ValueError, match=r"^in f, row 3 is .*, not text; give a string for every row$"):
        check_texts(["a", "b", other], where="in f, ", first=1)


def test_one_string_is_no_list_of_texts() -> None:
    with pytest.raises(ValueError, match="a single string instead of a list"):
        check_texts("a text")
