"""Checks of rows and labels, once, where they enter."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Int
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data
from torch import Tensor

from credprop.data import Coded, encode_labels
from credprop.prepare import Raw, as_texts

_ENOUGH = 2  # rows that the normalization of a batch needs


def checked(estimator: Any, x: Any, y: Any, truth: Any = None) -> tuple[Raw, Coded, Int[Tensor, " n"] | None]:
    """Rows and labels that an estimator can learn from, and the codes of the truth where it is known."""
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
    if truth is None:
        return rows, coded, None
    return rows, coded, torch.from_numpy(_codes_among(coded.classes, truth, estimator.unlabeled_label))


def check_rows(estimator: Any, x: Any, *, reset: bool) -> Raw:
    """Texts or arrays, like those before.

    Vectors are float32 (half precision is kept), images as they are; both finite.
    """
    texts = as_texts(x)
    if not reset and (texts is None) != bool(estimator.sample_shape_):
        found = "holds text" if texts is not None else "is no list of texts"
        what = raw_kind_of(estimator.sample_shape_)
        raise ValueError(f"X {found}; the model was fitted on {what}")
    rows = _check_array(estimator, x, reset) if texts is None else _check_texts(estimator, texts, reset)
    shape = rows.shape[1:] if isinstance(rows, np.ndarray) else ()
    if reset:
        estimator.sample_shape_ = shape
    elif shape != estimator.sample_shape_:
        raise ValueError(f"samples have shape {shape}; the model was fitted on {estimator.sample_shape_}")
    return rows


def seed_of(random_state: Any) -> int:
    """A number for the engine: the one given, or one drawn from what was given."""
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def raw_kind_of(shape: Sequence[int]) -> str:
    """What samples of this shape are, in the plural."""
    return {0: "texts", 1: "vectors"}.get(len(shape), "images")


def _check_texts(estimator: Any, texts: list[str], reset: bool) -> list[str]:
    """The texts, if there are enough of them; features have they none."""
    if not reset:
        return texts
    if len(texts) < _ENOUGH:
        raise ValueError(f"X holds 1 sample; a minimum of {_ENOUGH} is required")
    if not any(texts):
        raise ValueError("X holds no text in any row; give texts")
    for name in ("n_features_in_", "feature_names_in_"):
        vars(estimator).pop(name, None)  # of an earlier fit
    return texts


def _check_array(estimator: Any, x: Any, reset: bool) -> np.ndarray:
    if isinstance(x, Tensor):
        x = x.detach().cpu().numpy()
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
            f"X has shape {rows.shape}; give vectors (n, features), images (n, channels, height, width) or a "
            "list of texts"
        )
    return rows


def _codes_among(classes: np.ndarray, truth: Any, unlabeled_label: Any) -> np.ndarray:
    """Codes of true labels, -1 for those that are none of the classes."""
    coded = encode_labels(truth, unlabeled_label)
    place = {label: code for code, label in enumerate(classes.tolist())}
    codes = np.array([place.get(label, -1) for label in coded.classes.tolist()] + [-1])
    return np.asarray(codes[coded.codes])


def _warn(rows: Raw, coded: Coded, names: np.ndarray | None) -> None:
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
    if not isinstance(rows, np.ndarray) or rows.ndim != 2:
        return
    if (constant := (rows == rows[0]).all(axis=0)).any():
        columns = np.arange(len(constant)) if names is None else names
        which = ", ".join(str(name) for name in columns[constant][:3]) + (
            ", ..." if constant.sum() > 3 else ""
        )
        _say(f"{constant.sum()} of {len(constant)} features are constant ({which}); they teach nothing")


def _say(message: str) -> None:
    warnings.warn(message, UserWarning, stacklevel=6)
