"""Standardized vectors for the methods from scikit-learn."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from torch import Tensor

from credprop.data import PartlyLabeled
from credprop.data.dataset import Rows, read_rows

Array = np.ndarray[Any, Any]


def standardizer(data: PartlyLabeled) -> Callable[[Rows], Array]:
    """A function that standardizes raw vectors by mean and scale of all rows of the data."""
    if data.kind != "vectors":
        raise ValueError(
            f"this method supports only vectors, not {data.kind}; encode the rows, or leave out the method"
        )
    if not len(data.given):
        raise ValueError("no row is labeled; label at least one row of each class")
    mean, scale = data.mean_and_scale()
    return lambda x: ((read_rows(x, torch.arange(len(x))) - mean) / scale).double().numpy()


def predictor(estimator: Any, standardize: Callable[[Rows], Array]) -> Callable[[Rows], Int[Tensor, " n"]]:
    """A fitted estimator as a function from raw rows to class codes."""
    return lambda x: torch.from_numpy(estimator.predict(standardize(x)))
