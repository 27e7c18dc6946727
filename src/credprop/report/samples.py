"""How the report shows a sample: as an image, a text, or its most unusual feature values."""

import base64
import io
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from PIL import Image

from credprop.report.evidence import Evidence
from credprop.report.formatting import clean, in_a_line, shorten

_SIDE = 96  # pixels
_TEXT = 280  # characters of a text on a card
_GLIMPSE = 120  # characters on hover
_WHOLE = 4_000  # characters of an expanded text
_VALUES = 5
_ROWS = 2_000  # used to estimate mean and standard deviation of the features

Shown = dict[str, Any]


def sample_viewer(evidence: Evidence) -> Callable[[int], Shown]:
    """A function from the index of a sample to what the page shows."""
    texts = evidence.texts
    if texts is not None:
        return lambda index: text(str(texts[index]))
    if evidence.kind == "images":
        return lambda index: {"picture": image_url(np.asarray(evidence.x[index]))}
    rows = np.unique(np.linspace(0, len(evidence) - 1, num=_ROWS).astype(int))
    sampled = np.stack([np.asarray(evidence.x[int(row)], dtype=float) for row in rows])
    return partial(_values, evidence, sampled.mean(axis=0), sampled.std(axis=0))


def _values(evidence: Evidence, mean: np.ndarray, deviation: np.ndarray, index: int) -> Shown:
    """The feature values farthest from their mean in standard deviations; never of constant features."""
    x = np.asarray(evidence.x[index], dtype=float)
    far = (x - mean) / np.where(deviation > 0, deviation, np.inf)
    most = np.argsort(-np.abs(far), kind="stable")[:_VALUES]
    values = [
        {"name": _column(evidence, int(j)), "value": f"{x[j]:.4g}", "far": f"{far[j]:+.1f}"} for j in most
    ]
    return {"features": values}


def _column(evidence: Evidence, index: int) -> str:
    return shorten(clean(evidence.columns[index]), 40) if len(evidence.columns) else f"feature {index}"


def text(words: str) -> Shown:
    """A text shortened to one line, its full beginning if that differs, and its length."""
    start = clean(words[:_WHOLE])
    short = in_a_line(start, _TEXT)
    all_said = len(words) <= _WHOLE and short == " ".join(start.split())
    return {"text": short, "whole": None if all_said else start, "length": len(words), "shown": len(start)}


def glimpse(evidence: Evidence, index: int) -> Shown:
    """A few words of a text sample; empty for other kinds."""
    if evidence.texts is None:
        return {}
    return {"text": in_a_line(clean(str(evidence.texts[index])[:_WHOLE]), _GLIMPSE)}


def image_url(x: np.ndarray) -> str:
    """An image (h, w), (h, w, c) or (c, h, w), bytes or floats in [0, 1], as a small PNG in a data URL."""
    image = Image.fromarray(_pixels(x))
    width, height = image.size
    longest = max(width, height)
    if longest > _SIDE:
        image.thumbnail((_SIDE, _SIDE), Image.Resampling.LANCZOS)
    elif longest * 2 <= _SIDE:
        times = _SIDE // longest
        image = image.resize((width * times, height * times), Image.Resampling.NEAREST)
    buffer = io.BytesIO()
    image.save(buffer, format="PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def _pixels(x: np.ndarray) -> np.ndarray:
    """Bytes of shape (h, w) or (h, w, 3 or 4)."""
    if x.ndim == 3 and x.shape[-1] not in (1, 3, 4):
        x = np.moveaxis(x, 0, -1)
    if x.ndim == 3 and x.shape[-1] not in (3, 4):
        x = x[..., 0]
    if x.dtype != np.uint8:
        x = np.nan_to_num(x.astype(float)).clip(0, 1) * 255
    return np.ascontiguousarray(x.round().astype(np.uint8))
