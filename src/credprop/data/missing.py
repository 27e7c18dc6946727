"""Missing values."""

from decimal import Decimal

import numpy as np


def is_missing(value: object) -> bool:
    """Whether this is None, NaN, or what numpy and pandas have for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):  # without importing pandas for it
        return True
    return isinstance(value, float | Decimal | np.generic) and bool(value != value)  # noqa: PLR0124 (NaN)
