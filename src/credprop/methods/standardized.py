"""Standardized vectors for the methods of scikit-learn."""

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
    """A function from raw vectors to standardized ones, by mean and scale of all rows of the data."""
    if data.kind != "vectors":
        raise ValueError(
            f"this method takes vectors alone; encode the {data.kind} first, or leave the method out"
        )
    if not len(data.given):
        raise ValueError("no row is labeled; label at least one row of each class")
    mean, scale = data.mean_and_scale()
    return lambda x: ((read_rows(x, torch.arange(len(x))) - mean) / scale).double().numpy()


def predictor(estimator: Any, standardize: Callable[[Rows], Array]) -> Callable[[Rows], Int[Tensor, " n"]]:
    """A fitted estimator as a function from raw rows to class codes."""
    return lambda x: torch.from_numpy(estimator.predict(standardize(x)))
