"""`credprop predict`: predicted labels for new rows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from credprop.cli.console import Console
from credprop.cli.fit_job import describe_shape, is_table, with_names
from credprop.cli.run_folder import check_writable
from credprop.data import Source, read_source
from credprop.estimator import CCPClassifier
from credprop.estimator.fit_inputs import prepared_rows
from credprop.estimator.new_rows import new_outlier_scores, probabilities
from credprop.estimator.refined import significant
from credprop.estimator.saved_folder import read_config
from credprop.files import write_whole

_WRITERS = {
    ".csv": lambda frame: frame.to_csv(index=False, lineterminator="\n"),
    ".tsv": lambda frame: frame.to_csv(index=False, sep="\t", lineterminator="\n"),
    ".jsonl": lambda frame: frame.to_json(orient="records", lines=True, force_ascii=False),
    ".parquet": lambda frame: frame.to_parquet(index=False),
}


def run_predict(
    run: Path,
    data: Path,
    out: Path,
    console: Console,
    *,
    columns: Mapping[str, str | None],
    abstain_below: float,
    allow_import: bool,
    overwrite: bool,
) -> None:
    """Write labels and probabilities of all rows; `columns` has the names for `id_column` and `text`."""
    _check_out(out, overwrite)
    classifier = CCPClassifier.load(run, allow_import=allow_import)
    roles = _roles(run, data, columns["text"])
    source = read_source(data, **roles, id_column=columns["id_column"], part="test", need_labels=False)
    for warning in source.warnings:
        console.note(f"note: {warning}")
    if source.x.shape[1:] != classifier.sample_shape_:
        fitted, found = (describe_shape(shape) for shape in (classifier.sample_shape_, source.x.shape[1:]))
        raise ValueError(f"{data} holds {found}, but {run} was fitted on {fitted}; use rows of the same kind")
    with console.progress("encoding rows") as draw:
        frame = predictions(classifier.set_params(callback=draw), source, abstain_below)
    write_whole(out, _WRITERS[out.suffix.lower()](frame))
    values = {"out": str(out.resolve()), "rows": len(frame), "classes": len(classifier.classes_)}
    console.result(values, "Wrote {rows:,} predictions to {out}.")


def predictions(classifier: CCPClassifier, source: Source, abstain_below: float = 0.0) -> Any:
    """One row per sample: id, label, confidence, outlier score, then p_CLASS for each class.

    The label is empty where the confidence is lower than `abstain_below`.
    """
    import pandas as pd

    rows = prepared_rows(classifier, with_names(source.x, source.columns))
    probability = probabilities(classifier, rows)
    labels = classifier.classes_[probability.argmax(axis=1)].astype(object)
    labels[probability.max(axis=1) < abstain_below] = None
    rounded = significant(probability)
    first = {
        "id": source.ids,
        "label": labels if abstain_below else labels.astype(classifier.classes_.dtype),
        "confidence": rounded.max(axis=1),
        "outlier_score": significant(new_outlier_scores(classifier, rows)),
    }
    named = {f"p_{label}": rounded[:, code] for code, label in enumerate(classifier.classes_)}
    return pd.DataFrame(first | named)


def _check_out(out: Path, overwrite: bool) -> None:
    if out.suffix.lower() not in _WRITERS:
        raise ValueError(f"{out}: unsupported file extension; use one of {', '.join(_WRITERS)} with --out")
    if out.is_dir():
        raise ValueError(f"{out} is a folder; use a file name with --out")
    if out.exists() and not overwrite:
        raise ValueError(f"{out} already exists; use --overwrite, or another file with --out")
    check_writable(out.parent)


def _roles(run: Path, data: Path, text: str | None) -> dict[str, Any]:
    """The columns of a table to read, as when the run was fitted."""
    config = read_config(run)
    origin = config["data"] if isinstance(config.get("data"), dict) else {}
    if not is_table(data):
        return {}
    image, text = origin.get("image"), text or origin.get("text")
    if len(config["sample_shape"]) > 1 and not image:
        raise ValueError(
            f"{data}: {run} was fitted on images, not on a table; use a folder of images or an .npz file"
        )
    if not config["sample_shape"] and not text:
        raise ValueError(f"{data}: {run} was fitted on texts; name the text column with --text")
    return {"features": config["feature_names_in"], "image": image, "text": text}
