"""Texts in any form that Python has for them, checked where they enter."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np


def as_texts(x: Any) -> list[str] | None:
    """The texts of a list, an array, a series or a frame of one column; None where it holds none.

    What is missing or blank becomes "", with a warning; among texts, anything else is refused.
    """
    values = _one_column(x)
    if values is None or not any(isinstance(value, str) for value in values):
        return None
    texts = [_text(value, row) for row, value in enumerate(values)]
    if empty := [row for row, text in enumerate(texts) if not text]:
        _say(f"row {empty[0]} is empty and read as empty text (rows like it: {len(empty)})")
    return texts


def _one_column(x: Any) -> Sequence[Any] | None:
    """The values, where there is one for each row."""
    if isinstance(x, list | tuple):
        return x
    values = x.to_numpy() if hasattr(x, "to_numpy") else x
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "OUT":
        return None
    if values.ndim == 1 or (values.ndim == 2 and values.shape[1] == 1):
        return list(values.ravel())
    return None


def _text(value: Any, row: int) -> str:
    if isinstance(value, str):
        return str(value) if value.strip() else ""
    import pandas as pd

    if pd.api.types.is_scalar(value) and pd.isna(value):
        return ""
    raise ValueError(f"row {row} is {value!r:.40}, not text; give a string for every row")


def _say(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=6)
