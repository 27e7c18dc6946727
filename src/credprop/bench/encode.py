"""Texts and pictures as rows that methods learn from: prepared once, before any cell is made."""

import hashlib
import json
from dataclasses import replace

from credprop.bench.datasets import Dataset
from credprop.ccp import TEXT_LENGTHS, check_preset_suits
from credprop.frozen import OnProgress
from credprop.frozen.protocol import stay_silent
from credprop.prepare import FAMILIES, choose_preparation

_CHOICES = ("auto", "text", *FAMILIES)


def prepare_dataset(
    dataset: Dataset,
    encoder: str = "auto",
    on_progress: OnProgress = stay_silent,
    *,
    preset: str = "auto",
) -> Dataset:
    """The same data set with tokens in place of texts, or with the vectors of a frozen encoder.

    What is chosen for the rows is chosen by the training rows alone. Vectors and images stay as they are
    unless an encoder is asked for; a preset for texts says how many tokens of a text are read.
    """
    if encoder.partition(":")[0] not in _CHOICES:
        raise ValueError(
            f"a bench has no encoder {encoder!r}; there are {', '.join(_CHOICES)}, sentence:MODEL and "
            "pretrained:MODEL; other networks come with the preset"
        )
    preparation = choose_preparation(dataset.x, encoder, length=TEXT_LENGTHS.get(preset))
    check_preset_suits(preset, preparation.kind, preparation.reason)
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
