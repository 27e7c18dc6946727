"""Checks of arrays, once, where they enter."""

import warnings
from typing import Any

import numpy as np
import torch
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from credprop.data import Coded, PartlyLabeled, encode_labels

_ENOUGH = 2  # rows that the normalization of a batch needs


def partly_labeled(estimator: Any, x: Any, y: Any, truth: Any = None) -> tuple[PartlyLabeled, Coded]:
    """The data set that an estimator learns from, and the codes of its labels."""
    if y is None:
        raise ValueError(
            "fit requires y to be passed, but the target y is None; give labels, with -1 where there is none"
        )
    rows = check_rows(estimator, x, reset=True)
    y = column_or_1d(y, warn=True) if getattr(y, "ndim", 1) != 1 else y
    check_consistent_length(rows, y)
    coded = encode_labels(y, estimator.unlabeled_label)
    check_classification_targets(coded.classes[coded.codes[coded.codes >= 0]])
    _warn(rows, coded, getattr(estimator, "feature_names_in_", None))
    known = None
    if truth is not None:
        known = torch.from_numpy(_codes_among(coded.classes, truth, estimator.unlabeled_label))
    data = PartlyLabeled(x=rows, labels=torch.from_numpy(coded.codes), k=len(coded.classes), truth=known)
    return data, coded


def check_rows(estimator: Any, x: Any, *, reset: bool) -> np.ndarray:
    """Vectors as float32 (half precision is kept), images as they are; finite, and like those before."""
    if isinstance(x, torch.Tensor):
        x = x.detach().cpu().numpy()
    if _is_text(x):
        raise ValueError("X holds text; give vectors (n, features) or images, or encode the text first")
    image = getattr(x, "ndim", 2) > 2
    with np.errstate(over="ignore", invalid="ignore"):  # too large for float32: refused as infinity
        rows: np.ndarray = validate_data(
            estimator,
            X=x,
            reset=reset,
            dtype=[np.float32, np.float16, np.uint8] if image else [np.float32, np.float16],
            allow_nd=True,
            ensure_min_samples=_ENOUGH if reset else 1,
        )
    if rows.ndim == 3:
        rows = rows[:, None]  # gray pictures
    if rows.ndim not in (2, 4):
        raise ValueError(
            f"X has shape {rows.shape}; give vectors (n, features) or images (n, channels, height, width)"
        )
    if reset:
        estimator.sample_shape_ = rows.shape[1:]
    elif rows.shape[1:] != estimator.sample_shape_:
        raise ValueError(
            f"samples have shape {rows.shape[1:]}; the model was fitted on {estimator.sample_shape_}"
        )
    return rows


def _is_text(x: Any) -> bool:
    return isinstance(x, list | tuple) and len(x) > 0 and isinstance(x[0], str)


def _codes_among(classes: np.ndarray, truth: Any, unlabeled_label: Any) -> np.ndarray:
    """Codes of true labels, -1 for those that are none of the classes."""
    coded = encode_labels(truth, unlabeled_label)
    place = {label: code for code, label in enumerate(classes.tolist())}
    codes = np.array([place.get(label, -1) for label in coded.classes.tolist()] + [-1])
    return np.asarray(codes[coded.codes])


def _warn(rows: np.ndarray, coded: Coded, names: np.ndarray | None) -> None:
    """Say what works but should be known."""
    if (coded.codes >= 0).all():
        _say("no row is unlabeled; all to learn is which labels to distrust (trust_labels=False, --no-trust)")
    counts = np.bincount(coded.codes[coded.codes >= 0])
    if (counts == 1).any():
        lonely = coded.classes[counts == 1]
        shown = ", ".join(str(label) for label in lonely[:3]) + (", ..." if len(lonely) > 3 else "")
        _say(
            f"{len(lonely)} of {len(counts)} classes have one label only ({shown}); two or more judge better"
        )
    if rows.ndim == 2 and (constant := (rows == rows[0]).all(axis=0)).any():
        columns = np.arange(len(constant)) if names is None else names
        which = ", ".join(str(name) for name in columns[constant][:3]) + (
            ", ..." if constant.sum() > 3 else ""
        )
        _say(f"{constant.sum()} of {len(constant)} features are constant ({which}); they teach nothing")


def _say(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=5)
