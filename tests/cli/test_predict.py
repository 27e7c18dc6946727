"""`credprop predict` writes predictions, or one error line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from cli.shell import (
    CLASSES,
    LABELED,
    ROWS,
    arrays,
    contents,
    credprop,
    error_line,
    fit,
    frame,
    image_folder,
    sealed,
    table,
)
from credprop import CCPClassifier


def changed(**columns: Any) -> Callable[[Path], Path]:
    return lambda folder: table(folder, **columns)


def without(column: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        frame().drop(columns=column).to_csv(folder / "u.csv", index=False)
        return folder / "u.csv"

    return write


RUNS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no weights": (lambda run: (run / "model.safetensors").unlink(), "model.safetensors"),
    "damaged weights": (lambda run: (run / "model.safetensors").write_bytes(b"\0" * 9000), "damaged"),
    "no config": (lambda run: (run / "config.json").unlink(), "no config.json"),
    "unreadable": (lambda run: (run / "config.json").write_bytes(b"\xff\0"), "cannot be read"),
    "another version": (lambda run: (run / "config.json").write_text('{"format": 99}'), "format 99"),
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_that_cannot_be_used_is_named(run: Path, kind: str) -> None:
    harm, words = RUNS[kind]
    harm(run)
    out = run.parent / "p.csv"
    assert words in error_line(credprop("predict", run, run.parent / "t.csv", "--out", out))
    assert not out.exists()
    if "weights" not in kind:
        page = (run / "report.html").read_bytes()
        assert words in error_line(credprop("report", run))
        assert (run / "report.html").read_bytes() == page


PREDICTIONS: dict[str, tuple[Callable[[Path], Path], str, str]] = {
    "no such run": (table, "p.csv", "nowhere is not a folder"),
    "existing file": (table, "t.csv", "--overwrite"),
    "unknown ending": (table, "p.xlsx", "p.xlsx"),
    "no ending": (table, "p", ".parquet"),
    "missing folder": (table, "no/p.csv", "is not a folder"),
    "a folder": (table, "folder.csv", "is a folder"),
    "missing data": (lambda folder: folder / "no.csv", "p.csv", "no such file"),
    "missing column": (without("b"), "p.csv", "no column 'b'"),
    "image for a row": (image_folder, "p.csv", "vectors of 4 features"),
    "other width": (lambda f: arrays(f, x_test=np.zeros((9, 5))), "p.csv", "vectors of 5 features"),
    "NaN": (changed(a=np.nan), "p.csv", "'a'"),
}


@pytest.mark.parametrize("kind", PREDICTIONS)
def test_what_cannot_be_predicted_is_reported_and_nothing_written(
    finished: Path, tmp_path: Path, kind: str
) -> None:
    make, name, words = PREDICTIONS[kind]
    (tmp_path / "folder.csv").mkdir()
    data = make(tmp_path)
    before = contents(tmp_path)
    run = tmp_path / "nowhere" if kind == "no such run" else finished
    assert words in error_line(credprop("predict", run, data, "--out", tmp_path / name))
    assert contents(tmp_path) == before


def test_images_of_another_size_or_in_a_table_are_refused(tmp_path: Path) -> None:
    assert fit(image_folder(tmp_path), tmp_path / "run", "--quiet").exit_code == 0
    (tmp_path / "other").mkdir()
    larger = image_folder(tmp_path / "other", (8, 6))
    message = error_line(credprop("predict", tmp_path / "run", larger, "--out", tmp_path / "p.csv"))
    assert "images of 6 x 8 x 3" in message
    assert "fitted on images of 6 x 6 x 3" in message
    listed = error_line(credprop("predict", tmp_path / "run", sealed(tmp_path), "--out", tmp_path / "p.csv"))
    assert "fitted on images" in listed


def predicted(run: Path, data: Path, *options: object, name: str = "p.csv") -> pd.DataFrame:
    out = run.parent / name
    result = credprop("predict", run, data, "--out", out, *options)
    assert result.exit_code == 0, result.output
    return pd.read_csv(out, dtype={"id": str})


def test_predictions_are_those_of_the_classifier(finished: Path, tmp_path: Path) -> None:
    data = finished.parent / "test.csv"
    result = credprop("predict", finished, data, "--id", "name", "--out", tmp_path / "p.csv")
    assert result.exit_code == 0, result.output
    found, rows = pd.read_csv(tmp_path / "p.csv"), pd.read_csv(data)
    assert list(found) == ["id", "label", "confidence", "outlier_score", *(f"p_{name}" for name in CLASSES)]
    assert found["id"].tolist() == rows["name"].tolist()
    classifier = CCPClassifier.load(finished)
    x = rows[list("abcd")].astype(np.float32)
    assert found["label"].tolist() == classifier.predict(x).tolist()
    np.testing.assert_allclose(found.iloc[:, 4:], classifier.predict_proba(x), rtol=1e-5)
    np.testing.assert_allclose(found["confidence"], found.iloc[:, 4:].max(axis=1))
    assert (found["label"] == rows["y"]).mean() > 0.9


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_one_row_is_labeled_in_every_format(finished: Path, tmp_path: Path, ending: str) -> None:
    frame()[:1].drop(columns="y").to_csv(tmp_path / "one {}.csv", index=False)
    out = tmp_path / f"p.{ending}"
    result = credprop("predict", finished, tmp_path / "one {}.csv", "--out", out, "--json")
    assert json.loads(result.stdout) == {"out": str(out), "rows": 1, "classes": 3}
    read: dict[str, Callable[[Path], pd.DataFrame]] = {
        "csv": pd.read_csv,
        "tsv": lambda path: pd.read_csv(path, sep="\t"),
        "jsonl": lambda path: pd.read_json(path, lines=True),
        "parquet": pd.read_parquet,
    }
    found = read[ending](out)
    assert list(found)[:4] == ["id", "label", "confidence", "outlier_score"]
    assert found["label"][0] in CLASSES


def test_a_classifier_saved_by_python_predicts_too(finished: Path, tmp_path: Path) -> None:
    data = tmp_path / "t.csv"
    shutil.copy(finished.parent / "test.csv", data)
    CCPClassifier.load(finished).save(tmp_path / "saved")
    found, by_run = predicted(tmp_path / "saved", data), predicted(tmp_path / "saved", data, name="q.csv")
    assert found.equals(by_run)


def test_a_custom_encoder_predicts_only_with_permission(tmp_path: Path) -> None:
    data, run = table(tmp_path), tmp_path / "run"
    assert fit(data, run, "--encoder", "cli.shell:make_encoder", "--quiet").exit_code == 0
    refused = error_line(credprop("predict", run, data, "--out", tmp_path / "p.csv"))
    assert "made by cli.shell:make_encoder" in refused
    assert "--allow-import" in refused
    assert len(predicted(run, data, "--allow-import")) == ROWS


def test_rows_below_the_confidence_asked_for_get_no_label(tried: Path, tmp_path: Path) -> None:
    data = frame(90, 90)[ROWS:]
    data[["a", "b", "c", "d"]] *= 0.3  # nearer to the other classes
    data.to_csv(tmp_path / "t.csv", index=False)

    def predictions(*options: object) -> pd.DataFrame:
        call = ("predict", tried, tmp_path / "t.csv", "--out", tmp_path / "p.csv", "--overwrite")
        assert credprop(*call, *options).exit_code == 0
        return pd.read_csv(tmp_path / "p.csv")

    every = predictions()
    assert every["label"].notna().all()
    threshold = every["confidence"].median()
    some = predictions("--abstain-below", threshold)
    sure = some["confidence"] > threshold + 1e-5
    unsure = some["confidence"] < threshold - 1e-5
    assert sure.any()
    assert unsure.any()
    assert some["label"][sure].tolist() == every["label"][sure].tolist()
    assert some["label"][unsure].isna().all()
    assert some.drop(columns="label").equals(every.drop(columns="label"))
    assert predictions("--abstain-below", 0).equals(every)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet"])
def test_labels_that_are_numbers_stay_numbers_where_others_are_left_out(tmp_path: Path, ending: str) -> None:
    data, out = arrays(tmp_path), tmp_path / f"p.{ending}"
    assert fit(data, tmp_path / "run", "--quiet").exit_code == 0
    call = ("predict", tmp_path / "run", data, "--out", out, "--abstain-below")
    assert credprop(*call, 1).exit_code == 0
    assert credprop(*call, 0.01, "--overwrite").exit_code == 0
    read: dict[str, Callable[[Path], pd.DataFrame]] = {
        "csv": pd.read_csv,
        "tsv": lambda path: pd.read_csv(path, sep="\t"),
        "jsonl": lambda path: pd.read_json(path, lines=True),
        "parquet": pd.read_parquet,
    }
    assert set(read[ending](out)["label"]) <= {0, 1, 2}


@pytest.mark.parametrize("value", ["-0.1", "1.1", "much"])
def test_a_confidence_that_is_none_is_refused(finished: Path, tmp_path: Path, value: str) -> None:
    result = credprop(
        "predict",
        finished,
        finished.parent / "test.csv",
        "--out",
        tmp_path / "p.csv",
        "--abstain-below",
        value,
    )
    assert result.exit_code == 2
    assert "--abstain-below" in result.stderr
    assert not (tmp_path / "p.csv").exists()


def test_outlier_scores_of_new_rows_rise_with_the_distance_to_labeled_ones(
    finished: Path, tmp_path: Path
) -> None:
    labeled = frame()[:LABELED]
    labeled.to_csv(tmp_path / "t.csv", index=False)
    scores = predicted_in(tmp_path, finished)["outlier_score"]
    assert scores.between(0, 1).all()
    assert (scores < 1e-3).all()  # each is its own nearest labeled row
    frame()[LABELED:].to_csv(tmp_path / "t.csv", index=False)
    saved = pd.read_csv(finished / "labels.csv")["outlier_score"][LABELED:]
    np.testing.assert_allclose(predicted_in(tmp_path, finished)["outlier_score"], saved, atol=1e-3)


def predicted_in(folder: Path, run: Path) -> pd.DataFrame:
    result = credprop("predict", run, folder / "t.csv", "--out", folder / "p.csv", "--overwrite")
    assert result.exit_code == 0, result.output
    return pd.read_csv(folder / "p.csv")
