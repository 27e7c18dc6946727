"""The first line of an error message."""

from credprop.data.error_text import first_line


def test_it_is_the_first_line_cut_short_or_the_type() -> None:
    assert first_line(ValueError("\none\ntwo")) == "one"
    assert first_line(ValueError("x" * 999)) == "x" * 160
    assert first_line(KeyError()) == "KeyError"
