"""Which values are missing, and which are not."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from credprop.data.missing import is_missing


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), np.float16("nan"), Decimal("NaN"), pd.NA, pd.NaT, np.datetime64("NaT")],
    ids=repr,
)
def test_missing_values_of_every_library_are_missing(value: Any) -> None:
    assert is_missing(value)


@pytest.mark.parametrize(
    "value", [0, 0.0, "", "nan", False, np.float32(1), np.str_(""), [], np.zeros(2), Decimal(1)], ids=repr
)
def test_other_values_are_not(value: Any) -> None:
    assert not is_missing(value)
