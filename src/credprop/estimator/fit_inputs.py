"""All that learning needs, checked and prepared: what may take long is done once and can be shared."""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from credprop.ccp import TEXT_LENGTHS, Progress, Settings, check_preset_suits
from credprop.data import Coded, PartlyLabeled
from credprop.estimator.parameters import (
    check_choices,
    choose_device,
    choose_encoder,
    settings_of,
    with_word_vectors,
)
from credprop.estimator.validation import check_rows, checked, seed_of
from credprop.frozen import OnProgress
from credprop.prepare import AUTO, TEXT, Preparation, Prepared, Raw, TextTokens, choose_preparation
from credprop.training import Compute

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, kw_only=True)
class Ready:
    """Rows and labels as the engine takes them, and how it shall learn from them."""

    data: PartlyLabeled
    coded: Coded
    preparation: Preparation
    settings: Settings
    seed: int
    compute: Compute
    encode_seconds: float | None  # that a frozen encoder took; None where there is none


def make_ready(
    estimator: Any, x: Any, y: Any, truth: Any = None, say: Callable[[str], None] = _log.info
) -> Ready:
    """What an estimator needs to learn from these rows; `say` hears why they are prepared as they are."""
    choices = _choices(estimator)
    check_choices(**choices)
    compute, seed = choose_device(estimator.device, estimator.precision), seed_of(estimator.random_state)
    encoder = choose_encoder(estimator.encoder)
    raw, coded, known = checked(estimator, x, y, truth)
    preparation = choose_preparation(
        raw,
        encoder,
        vectors=estimator.vectors,
        length=TEXT_LENGTHS.get(estimator.preset),
        device=estimator.device,
    )
    check_preset_suits(estimator.preset, preparation.kind, preparation.reason)
    if preparation.reason:
        say(preparation.reason)
    rows, seconds = _timed(preparation, raw, estimator.callback)
    data = PartlyLabeled(x=rows, labels=torch.from_numpy(coded.codes), k=len(coded.classes), truth=known)
    network = AUTO if preparation.kind == "frozen" or encoder == TEXT else encoder
    settings = settings_of(data, network=network, **choices)
    if isinstance(preparation, TextTokens) and preparation.vectors is not None:
        settings = with_word_vectors(settings, preparation.vectors, seed)
    return Ready(
        data=data,
        coded=coded,
        preparation=preparation,
        settings=settings,
        seed=seed,
        compute=compute,
        encode_seconds=seconds,
    )


def prepared_rows(estimator: Any, x: Any) -> Prepared:
    """New rows as the network of a fitted estimator takes them."""
    raw = check_rows(estimator, x, reset=False)
    return _rows(estimator.preparation_, raw, estimator.callback)


def _choices(estimator: Any) -> dict[str, Any]:
    changes = {"trust_labels": estimator.trust_labels} | dict(estimator.settings or {})
    if estimator.max_iter is not None:
        changes["iterations"] = estimator.max_iter
    names = ("preset", "augment", "budget")
    return {name: getattr(estimator, name) for name in names} | {"changes": changes}


def _timed(
    preparation: Preparation, raw: Raw, callback: Callable[[Progress], None] | None
) -> tuple[Prepared, float | None]:
    """The rows for the network, and how long a frozen encoder took for them."""
    start = time.monotonic()
    rows = _rows(preparation, raw, callback)
    return rows, time.monotonic() - start if preparation.kind == "frozen" else None


def _rows(preparation: Preparation, raw: Raw, callback: Callable[[Progress], None] | None) -> Prepared:
    return preparation.rows(raw, encoding_progress(callback)) if callback else preparation.rows(raw)


def encoding_progress(callback: Callable[[Progress], None]) -> OnProgress:
    """Progress of the encoding, in the words for that of a run."""

    def tell(done: int, total: int) -> None:
        callback(Progress("encode", 0, 0, done, total, math.nan, done, total))

    return tell
