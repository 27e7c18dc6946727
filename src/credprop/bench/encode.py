"""Encode texts and images once, before any cell is drawn."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credprop.bench.datasets import Dataset
from credprop.data.check_texts import check_texts
from credprop.frozen import OnProgress
from credprop.frozen.protocol import no_progress
from credprop.prepare import AUTO, FAMILIES, TEXT, choose_preparation

_CHOICES = (AUTO, TEXT, *FAMILIES)


def prepare_dataset(
    dataset: Dataset,
    encoder: str = AUTO,
    on_progress: OnProgress = no_progress,
    *,
    preset: str = AUTO,
) -> Dataset:
    """The data set with texts replaced by tokens, or with rows replaced by vectors of a frozen encoder.

    All choices are based on the training rows only. Vectors and images are unchanged unless an encoder is
    named; a preset for texts sets the number of tokens per text.
    """
    if encoder.partition(":")[0] not in _CHOICES:
        raise ValueError(
            f"unknown encoder {encoder!r}; use {', '.join(_CHOICES)}, sentence:MODEL or pretrained:MODEL "
            "(the network to train is set by --preset)"
        )
    if dataset.kind == "text":
        dataset = replace(dataset, x=_checked(dataset.x), test_x=_checked(dataset.test_x))
    preparation = choose_preparation(dataset.x, encoder, preset=preset)
    if preparation.kind == "arrays":
        return dataset
    total = len(dataset.y) + len(dataset.test_y)
    x = preparation.rows(dataset.x, lambda done, _: on_progress(done, total))
    test_x = preparation.rows(dataset.test_x, lambda done, _: on_progress(len(dataset.y) + done, total))
    made_by = json.dumps([dataset.fingerprint(), preparation.to_json(), dict(preparation.files())])
    return replace(
        dataset,
        kind="tokens" if preparation.kind == "tokens" else "vectors",
        x=x,
        test_x=test_x,
        notes=(*dataset.notes, preparation.reason),
        made_by=hashlib.sha256(made_by.encode()).hexdigest(),
    )


def _checked(texts: Iterable[object]) -> NDArray[Any]:
    return np.array(check_texts(texts), dtype=object)
