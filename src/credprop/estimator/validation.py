"""Rows and labels are checked once, where they enter."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Int
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data
from torch import Tensor

from credprop.data import LabelCodes, encode_labels
from credprop.data.check_texts import check_texts
from credprop.data.missing import is_missing
from credprop.prepare import Raw

_ENOUGH = 2  # rows that the normalization of a batch needs


def check_inputs(
    estimator: Any, x: Any, y: Any, truth: Any = None
) -> tuple[Raw, LabelCodes, Int[Tensor, " n"] | None]:
    """Rows and labels that an estimator can learn from, and the codes of the truth where it is known."""
    if y is None:
        raise ValueError(
            "fit requires y to be passed, but the target y is None; give labels, with -1 where there is none"
        )
    rows = check_rows(estimator, x, reset=True)
    y = column_or_1d(y, warn=True) if getattr(y, "ndim", 1) != 1 else y
    check_consistent_length(rows, y)
    codes = encode_labels(y, estimator.unlabeled_label)
    check_classification_targets(codes.classes[codes.codes[codes.codes >= 0]])
    _warn(rows, codes, getattr(estimator, "feature_names_in_", None))
    if truth is None:
        return rows, codes, None
    return rows, codes, torch.from_numpy(_codes_among(codes.classes, truth, estimator.unlabeled_label))


def check_gold(gold: Any, codes: np.ndarray) -> Bool[Tensor, " n"] | None:
    """Which given labels are surely right, if that is known of any."""
    if gold is None:
        return None
    marked = np.asarray(gold)
    if marked.shape != codes.shape or marked.dtype.kind not in "biu" or not np.isin(marked, (0, 1)).all():
        raise ValueError(f"gold must be True or False for each of {len(codes)} rows")
    if (unlabeled := (marked == 1) & (codes < 0)).any():
        raise ValueError(f"gold marks row {int(unlabeled.argmax())}, which has no label; give it one")
    return torch.from_numpy(marked.astype(bool))


def check_groups(groups: Any, n: int) -> Int[Tensor, " n"] | None:
    """The group of every row as a number, if rows belong together."""
    if groups is None:
        return None
    values = np.asarray(groups, dtype=object)
    if values.shape != (n,):
        raise ValueError(f"groups must name one group for each of {n} rows")
    # A row without a group is a group of its own.
    names = [
        f"row {i}" if is_missing(value) or value == "" else ("named", value)
        for i, value in enumerate(values.tolist())
    ]
    number = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return torch.tensor([number[name] for name in names])


def check_rows(estimator: Any, x: Any, *, reset: bool) -> Raw:
    """Texts or arrays, of the kind and shape of the fit unless `reset`.

    Vectors are float32 (half precision is kept), images as they are; both finite.
    """
    notes: list[str] = []
    texts = as_texts(x, notes.append)
    for message in notes:
        _say(message, 6 if reset else 5)
    if not reset and (texts is None) != bool(estimator.sample_shape_):
        found = "holds text" if texts is not None else "is not a list of texts"
        what = kind_of_shape(estimator.sample_shape_)
        raise ValueError(f"X {found}; the model was fitted on {what}")
    rows = _check_array(estimator, x, reset) if texts is None else _check_texts(estimator, texts, reset)
    shape = rows.shape[1:] if isinstance(rows, np.ndarray) else ()
    if reset:
        estimator.sample_shape_ = shape
    elif shape != estimator.sample_shape_:
        raise ValueError(f"samples have shape {shape}; the model was fitted on {estimator.sample_shape_}")
    return rows


def as_texts(x: Any, note: Callable[[str], None] = lambda message: None) -> list[str] | None:
    """The texts of a list, an array, a series or a frame of one column; None where it holds no string."""
    values = _one_column(x)
    if values is None or not any(isinstance(value, str) for value in values):
        return None
    return check_texts(values, note=note)


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


def make_seed(random_state: Any) -> int:
    """The seed of a run: the given integer, or one drawn from the given generator."""
    if isinstance(random_state, int | np.integer):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def kind_of_shape(shape: Sequence[int]) -> str:
    """What samples of this shape are, in the plural."""
    return {0: "texts", 1: "vectors"}.get(len(shape), "images")


def _check_texts(estimator: Any, texts: list[str], reset: bool) -> list[str]:
    """The texts, if there are enough of them; texts have no features."""
    if not reset:
        return texts
    if len(texts) < _ENOUGH:
        raise ValueError(f"X holds 1 sample; a minimum of {_ENOUGH} is required")
    if not any(texts):
        raise ValueError("X holds no text in any row; at least one row must have some")
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
        rows = rows[:, None]  # gray images
    if rows.ndim not in (2, 4):
        raise ValueError(
            f"X has shape {rows.shape}; give vectors (n, features), images (n, channels, height, width) or a "
            "list of texts"
        )
    return rows


def _codes_among(classes: np.ndarray, truth: Any, unlabeled_label: Any) -> np.ndarray:
    """Codes of true labels, -1 for those of no known class."""
    found = encode_labels(truth, unlabeled_label)
    place = {label: code for code, label in enumerate(classes.tolist())}
    codes = np.array([place.get(label, -1) for label in found.classes.tolist()] + [-1])
    return np.asarray(codes[found.codes])


def _warn(rows: Raw, codes: LabelCodes, names: np.ndarray | None) -> None:
    """Warn about inputs that can be learned from but are unusual."""
    if (codes.codes >= 0).all():
        _say("every row is labeled; only label errors can be found (trust_labels=False, --no-trust)")
    counts = np.bincount(codes.codes[codes.codes >= 0])
    if (counts == 1).any():
        single = codes.classes[counts == 1]
        shown = ", ".join(str(label) for label in single[:3]) + (", ..." if len(single) > 3 else "")
        _say(f"{len(single)} of {len(counts)} classes have only one label ({shown}); two or more work better")
    if not isinstance(rows, np.ndarray) or rows.ndim != 2:
        return
    if (constant := (rows == rows[0]).all(axis=0)).any():
        columns = np.arange(len(constant)) if names is None else names
        which = ", ".join(str(name) for name in columns[constant][:3]) + (
            ", ..." if constant.sum() > 3 else ""
        )
        _say(
            f"{constant.sum()} of {len(constant)} features are constant ({which}); they carry no information"
        )


def _say(message: str, stacklevel: int = 6) -> None:
    """Warn with the line of the user's code that called `fit` or `predict`."""
    warnings.warn(message, UserWarning, stacklevel=stacklevel)
