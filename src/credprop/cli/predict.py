"""`credprop predict`: labels for new rows."""

from pathlib import Path
from typing import Any

from credprop.cli.fit import with_names
from credprop.cli.show import Screen
from credprop.data import read_source
from credprop.estimator import CCPClassifier
from credprop.estimator.storage import read_config
from credprop.files import write_whole

_WRITERS = {
    ".csv": lambda frame: frame.to_csv(index=False),
    ".tsv": lambda frame: frame.to_csv(index=False, sep="\t"),
    ".jsonl": lambda frame: frame.to_json(orient="records", lines=True, force_ascii=False),
    ".parquet": lambda frame: frame.to_parquet(index=False),
}


def run_predict(
    run: Path, data: Path, out: Path, id_column: str | None, screen: Screen, *, overwrite: bool
) -> None:
    """Write id, label, confidence and the probability of every class for each row."""
    if out.suffix not in _WRITERS:
        raise ValueError(f"{out} has no ending that is known; give one of {', '.join(_WRITERS)} to --out")
    if out.exists() and not overwrite:
        raise ValueError(f"{out} exists; name another file with --out, or give --overwrite")
    if not out.parent.is_dir():
        raise ValueError(f"{out.parent} is not a folder; name a file in one that exists with --out")
    config, classifier = read_config(run), CCPClassifier.load(run)
    origin = config.get("data", {})
    source = read_source(
        data,
        features=origin.get("features") or (),
        image=origin.get("image"),
        id_column=id_column,
        part="test",
        need_labels=False,
    )
    frame = predictions(classifier, with_names(source.x, source.columns), source.ids)
    write_whole(out, _WRITERS[out.suffix](frame))
    values = {"out": str(out.resolve()), "rows": len(frame), "classes": len(classifier.classes_)}
    screen.result(values, "Wrote {rows:,} predictions to {out}.")


def predictions(classifier: CCPClassifier, x: Any, ids: list[str]) -> Any:
    """A row a sample: id, label, confidence, then p_CLASS for each class."""
    import pandas as pd

    probability = classifier.predict_proba(x)
    best = probability.argmax(axis=1)
    named = {f"p_{label}": probability[:, code] for code, label in enumerate(classifier.classes_)}
    first = {"id": ids, "label": classifier.classes_[best], "confidence": probability.max(axis=1)}
    return pd.DataFrame(first | named)
