"""Frozen encoders by name."""

from typing import Any

import pytest

from credprop.frozen import choose_frozen


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("resnet", "unknown frozen encoder 'resnet'"),
        ("pretrained:nobody/nothing", "nobody/nothing"),
        ("pretrained:no such name", "no such name"),
        (3, "not a int"),
    ],
)
def test_unknown_names_are_errors_of_one_line(name: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        choose_frozen(name)
    assert "\n" not in str(caught.value)
