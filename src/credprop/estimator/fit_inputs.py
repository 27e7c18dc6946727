"""Everything a fit needs, checked and prepared once, so that several fits can share it."""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from credprop.ccp import Progress, Settings
from credprop.data import LabelCodes, PartlyLabeled
from credprop.estimator.parameters import (
    check_parameters,
    choose_device,
    choose_encoder,
    is_auto,
    make_settings,
    make_trial_options,
    with_word_vectors,
)
from credprop.estimator.validation import check_gold, check_groups, check_inputs, check_rows, make_seed
from credprop.frozen import OnProgress
from credprop.prepare import AUTO, TEXT, Preparation, Prepared, Raw, TextTokens, choose_preparation
from credprop.training import Compute
from credprop.trial import TrialOptions

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, kw_only=True)
class FitInputs:
    """Rows and labels as the training takes them, and the settings of the run."""

    data: PartlyLabeled
    label_codes: LabelCodes
    preparation: Preparation
    settings: Settings
    seed: int
    compute: Compute
    trial: TrialOptions | None  # None: CCP alone
    blank: np.ndarray | None  # rows that hold nothing to go by
    encode_seconds: float | None  # spent in a frozen encoder; None without one


def make_fit_inputs(
    estimator: Any,
    x: Any,
    y: Any,
    truth: Any = None,
    *,
    gold: Any = None,
    groups: Any = None,
    note: Callable[[str], None] = _log.info,
) -> FitInputs:
    """What an estimator needs to fit these rows; `note` gets the reason for their preparation."""
    trial = make_trial_options(estimator)
    parameters = _parameters(estimator)
    check_parameters(**parameters)
    compute, seed = choose_device(estimator.device, estimator.precision), make_seed(estimator.random_state)
    encoder = choose_encoder(estimator.encoder)
    raw, codes, true_codes = check_inputs(estimator, x, y, truth)
    preparation = choose_preparation(
        raw,
        encoder,
        preset=estimator.preset,
        vectors=estimator.vectors,
        device=estimator.device,
    )
    if preparation.reason:
        note(preparation.reason)
    rows, seconds = _timed(preparation, raw, estimator.callback)
    data = PartlyLabeled(
        x=rows,
        labels=torch.from_numpy(codes.codes),
        k=len(codes.classes),
        truth=true_codes,
        gold=check_gold(gold, codes.codes),
        groups=check_groups(groups, len(codes.codes)),
    )
    network = AUTO if preparation.kind == "frozen" or encoder == TEXT else encoder
    settings = make_settings(data, network=network, **parameters)
    if isinstance(preparation, TextTokens) and preparation.vectors is not None:
        settings = with_word_vectors(settings, preparation.vectors, seed)
    return FitInputs(
        data=data,
        label_codes=codes,
        preparation=preparation,
        settings=settings,
        seed=seed,
        compute=compute,
        trial=trial,
        blank=np.array([not text for text in raw]) if isinstance(raw, list) else None,
        encode_seconds=seconds,
    )


def prepared_rows(estimator: Any, x: Any) -> Prepared:
    """New rows as the network of a fitted estimator takes them."""
    raw = check_rows(estimator, x, reset=False)
    return _rows(estimator.preparation_, raw, estimator.callback)


def _parameters(estimator: Any) -> dict[str, Any]:
    trust = True if is_auto(estimator.trust_labels) else estimator.trust_labels
    trust = bool(trust) if isinstance(trust, np.bool_) else trust
    changes = {"trust_labels": trust} | dict(estimator.settings or {})
    if estimator.max_iter is not None:
        changes["iterations"] = estimator.max_iter
    names = ("preset", "augment", "budget")
    return {name: getattr(estimator, name) for name in names} | {"changes": changes}


def _timed(
    preparation: Preparation, raw: Raw, callback: Callable[[Progress], None] | None
) -> tuple[Prepared, float | None]:
    """The rows for the network, and the seconds that a frozen encoder took for them."""
    start = time.monotonic()
    rows = _rows(preparation, raw, callback)
    return rows, time.monotonic() - start if preparation.kind == "frozen" else None


def _rows(preparation: Preparation, raw: Raw, callback: Callable[[Progress], None] | None) -> Prepared:
    return preparation.rows(raw, encoding_progress(callback)) if callback else preparation.rows(raw)


def encoding_progress(callback: Callable[[Progress], None]) -> OnProgress:
    """Progress of the encoding, as progress of a run."""

    def tell(done: int, total: int) -> None:
        callback(Progress("encode", 0, 0, done, total, math.nan, done, total))

    return tell
