"""`credprop fit` turns a half-labeled file into a model, refined labels and a report."""

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from cli.shell import (
    CLASSES,
    LABELED,
    ROWS,
    arrays,
    credprop,
    fit,
    frame,
    image_folder,
    sealed,
    table,
)
from credprop.cli.errors import NotProvenError
from credprop.cli.fit import check_win
from credprop.report.certified import certified

FILES = [
    "README.md",
    "config.json",
    "history.jsonl",
    "labels.csv",
    "metrics.json",
    "model.safetensors",
    "report.html",
    "report.json",
]
COLUMNS = [
    "id",
    "given_label",
    "refined_label",
    "credibility",
    "confidence",
    "verdict",
    "is_label_issue",
    "label_quality",
    "is_outlier_issue",
    "outlier_score",
    "labeled_iter",
]


def predicted(run: Path, data: Path, *options: object, name: str = "p.csv") -> pd.DataFrame:
    out = run.parent / name
    result = credprop("predict", run, data, "--out", out, *options)
    assert result.exit_code == 0, result.output
    return pd.read_csv(out, dtype={"id": str})


def test_a_run_holds_its_files_and_nothing_else(finished: Path) -> None:
    assert sorted(path.name for path in finished.iterdir()) == FILES


def test_labels_csv_has_every_row_in_order(finished: Path) -> None:
    labels, data = pd.read_csv(finished / "labels.csv"), frame()
    assert list(labels) == COLUMNS
    assert labels["id"].tolist() == data["name"].tolist()
    assert labels["given_label"].fillna("").tolist() == data["y"].fillna("").tolist()
    given = labels["given_label"].notna()
    assert given.sum() == LABELED
    assert (labels["refined_label"].notna() == (labels["credibility"] > 0)).all()
    assert (labels["label_quality"].notna() == given).all()
    assert not labels["is_label_issue"][~given].any()
    for name in ("credibility", "confidence", "label_quality", "outlier_score"):
        assert labels[name].dropna().between(0, 1).all()
    assert (labels["labeled_iter"][given] == 0).all()
    assert (labels["labeled_iter"][~given] != 0).all()
    assert ((labels["verdict"] == "relabel") == labels["is_label_issue"]).all()
    assert set(labels["verdict"]) <= {"trust", "check", "relabel", "outlier", "ambiguous"}


def test_the_history_has_a_line_an_epoch(finished: Path) -> None:
    lines = [json.loads(line) for line in (finished / "history.jsonl").read_text().splitlines()]
    assert {line["stage"] for line in lines} == {"pretrain", "refine", "build"}


def test_a_parquet_is_learned_from_like_a_csv(finished: Path, tmp_path: Path) -> None:
    data = table(tmp_path, "t.parquet")
    out = tmp_path / "ein Lauf {}"
    assert fit(data, out, "--id", "name", "--quiet").exit_code == 0
    assert (out / "labels.csv").read_bytes() == (finished / "labels.csv").read_bytes()
    assert (out / "model.safetensors").read_bytes() == (finished / "model.safetensors").read_bytes()
    assert len(predicted(out, data)) == ROWS


def test_arrays_are_learned_from_tested_and_predicted(tmp_path: Path) -> None:
    data = arrays(tmp_path)
    result = fit(data, tmp_path / "run", "--test", data, "--json")
    values = json.loads(result.stdout)
    assert (values["rows"], values["labeled"], values["classes"]) == (ROWS, LABELED, 3)
    assert values["test_rows"] == 9
    found = predicted(tmp_path / "run", data)
    assert found["id"].tolist() == [str(i) for i in range(9)]
    assert list(found)[4:] == ["p_0", "p_1", "p_2"]
    frame().to_csv(tmp_path / "t.csv", index=False)
    assert len(predicted(tmp_path / "run", tmp_path / "t.csv", name="q.csv")) == ROWS


def test_images_are_learned_from_a_folder_or_from_a_column_of_paths(tmp_path: Path) -> None:
    folder = image_folder(tmp_path)
    assert fit(folder, tmp_path / "run", "--quiet").exit_code == 0
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.png"))
    found = predicted(tmp_path / "run", folder)
    assert found["id"].tolist() == files
    assert set(found["label"]) <= {"red", "blue"}
    labels = pd.read_csv(tmp_path / "run" / "labels.csv")
    assert labels["id"].tolist() == files
    assert labels["given_label"].isna().sum() == 6

    given = [name.split("/")[0].replace("unlabeled", "") for name in files]
    listed = pd.DataFrame({"file": [f"images/{name}" for name in files], "y": given})
    listed.to_csv(tmp_path / "t.csv", index=False)
    data, other = tmp_path / "t.csv", tmp_path / "other"
    assert fit(data, other, "--image", "file", "--id", "file", "--quiet").exit_code == 0
    assert (other / "model.safetensors").read_bytes() == (tmp_path / "run/model.safetensors").read_bytes()
    by_path = predicted(other, data, "--id", "file", name="q.csv")
    assert by_path["id"].tolist() == listed["file"].tolist()
    assert by_path["p_red"].tolist() == found["p_red"].tolist()
    assert predicted(other, folder, name="r.csv")["p_red"].tolist() == found["p_red"].tolist()


def test_json_is_the_only_output_and_says_what_was_found(tmp_path: Path) -> None:
    result = fit(table(tmp_path), tmp_path / "run", "--test", sealed(tmp_path), "--json")
    values = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert values["run"] == str(tmp_path / "run")
    assert values["report"] == str(tmp_path / "run" / "report.html")
    assert (values["rows"], values["labeled"], values["classes"]) == (ROWS, LABELED, 3)
    assert values["certificate"] is None
    assert values["seconds"] > 0
    for name in ("test_accuracy", "test_accuracy_supervised"):
        assert 0.5 < values[name] <= 1
    assert "estimated training time" in result.stderr
    assert "columns not used as features: 'name'" in result.stderr
    assert values.items() >= json.loads((tmp_path / "run" / "metrics.json").read_text()).items()


def test_quiet_prints_only_the_result(tmp_path: Path) -> None:
    result = fit(table(tmp_path), tmp_path / "run", "--quiet")
    assert result.stderr == ""
    assert "60 rows, 24 labeled, 3 classes" in result.stdout
    assert "No certificate: no label could be hidden, or the trial was switched off." in result.stdout


def test_the_same_seed_gives_the_same_files_and_another_others(finished: Path, tmp_path: Path) -> None:
    data = finished.parent / "t.csv"
    for seed, same in ((0, True), (1, False)):
        assert fit(data, tmp_path / str(seed), "--id", "name", "--seed", seed).exit_code == 0
        for name in ("model.safetensors", "labels.csv"):
            content = (tmp_path / str(seed) / name).read_bytes()
            assert (content == (finished / name).read_bytes()) is same
            assert str(tmp_path).encode() not in content


def test_test_labels_are_known_by_their_spelling(tmp_path: Path) -> None:
    data = frame(90, 90).replace({"y": {"cat": "1", "dog": "2"}})
    data.assign(y=data["y"].where(data.index < LABELED))[:ROWS].to_csv(tmp_path / "t.csv", index=False)
    data[(data.index >= ROWS) & (data["y"] != "p_x")].to_csv(tmp_path / "test.csv", index=False)
    result = fit(tmp_path / "t.csv", tmp_path / "run", "--test", tmp_path / "test.csv", "--json")
    assert json.loads(result.stdout)["test_accuracy"] > 0.9


def test_hostile_names_are_unchanged_in_the_output(tmp_path: Path) -> None:
    names = {"cat": "a,b\n{c}", "dog": "p_x", "p_x": "<b>ü"}
    data = table(tmp_path, "t {0}.csv", y=frame()["y"].map(names))
    assert fit(data, tmp_path / "r {x}", "--id", "name").exit_code == 0
    labels = pd.read_csv(tmp_path / "r {x}" / "labels.csv")
    assert set(labels["given_label"].dropna()) == set(names.values())
    found = predicted(tmp_path / "r {x}", data, "--id", "name")
    assert list(found)[4:] == sorted(f"p_{name}" for name in names.values())
    assert found["id"].tolist() == frame()["name"].tolist()


WARNED: dict[str, tuple[Callable[[pd.DataFrame], pd.DataFrame], str]] = {
    "nothing unlabeled": (lambda d: d[:LABELED], "every row is labeled"),
    "constant features": (lambda d: d.assign(b=1.0, c=2.0), "2 of 4 features are constant (b, c)"),
    "a class with one label": (
        lambda d: d.assign(y=d["y"].where((d["y"] != "dog") | (d.index == d.index[d["y"] == "dog"][0]))),
        "1 of 3 classes have only one label (dog)",
    ),
}


@pytest.mark.parametrize("kind", WARNED)
def test_unusual_data_is_trained_on_with_one_warning(tmp_path: Path, kind: str) -> None:
    change, words = WARNED[kind]
    change(frame()).to_csv(tmp_path / "t.csv", index=False)
    result = fit(tmp_path / "t.csv", tmp_path / "run")
    assert result.exit_code == 0, result.output
    assert result.stderr.count(words) == 1
    assert f"note: {words}" in result.stderr


def test_a_run_with_a_trial_holds_the_same_files_and_says_how_sure_it_is(tried: Path) -> None:
    assert sorted(path.name for path in tried.iterdir()) == FILES
    values = json.loads((tried / "metrics.json").read_text())
    certificate, right = values["certificate"], values["trusted_right"]
    assert (certificate["folds"], certificate["hidden"], certificate["metric"]) == (2, LABELED, "accuracy")
    assert certificate["low"] <= certificate["difference"] <= certificate["high"]
    assert sum(certificate["weights"].values()) == pytest.approx(1)
    assert 0 <= values["label_noise"] < 0.2
    assert 0 <= right["low"] <= right["share"] <= right["high"] <= 1
    labels = pd.read_csv(tried / "labels.csv")
    assert list(labels) == COLUMNS
    trusted = (labels["verdict"] == "trust") & labels["given_label"].isna()
    assert values["trusted_rows"] == trusted.sum()
    assert (labels["confidence"][labels["verdict"] == "trust"] >= 0.9).all()
    assert labels["refined_label"].notna().all()
    report = (tried / "report.html").read_text()
    assert all(sentence in report for sentence in certified(values))


def test_a_run_with_a_trial_gives_the_same_files_from_several_processes(tried: Path, tmp_path: Path) -> None:
    options = ("--trial", "--trial-folds", 2, "--id", "name", "--jobs", 2, "--quiet")
    assert fit(tried.parent / "t.csv", tmp_path / "run", *options).exit_code == 0
    for name in ("model.safetensors", "labels.csv"):
        assert (tmp_path / "run" / name).read_bytes() == (tried / name).read_bytes()


@pytest.mark.parametrize("options", [("--no-trial",), ("--trial", "--trial-folds", 2)], ids=["none", "level"])
def test_where_a_win_is_required_a_run_that_proves_none_is_complete_and_exits_with_4(
    tmp_path: Path, options: tuple[object, ...]
) -> None:
    run = tmp_path / "run"
    result = fit(table(tmp_path), run, *options, "--require-win", "--quiet")
    assert result.exit_code == 4
    assert result.stderr == (
        "credprop: not proven better than the baseline (--require-win); the run folder is complete\n"
    )
    assert str(run) in result.stdout
    assert sorted(path.name for path in run.iterdir()) == FILES
    again = fit(tmp_path / "t.csv", run, *options, "--require-win", "--resume", "--json")
    assert again.exit_code == 4
    assert json.loads(again.stdout)["run"] == str(run)


def test_a_win_that_is_required_and_proven_raises_nothing() -> None:
    check_win({"certificate": {"proven": True}})
    with pytest.raises(NotProvenError):
        check_win({"certificate": {"proven": False}})
    with pytest.raises(NotProvenError):
        check_win({"certificate": None})


def test_gold_labels_and_groups_are_read_and_are_no_features(tmp_path: Path) -> None:
    data = frame().assign(sure=[int(i < 3) for i in range(ROWS)], camera=[i // 2 for i in range(ROWS)])
    data.loc[0, "y"] = CLASSES[(CLASSES.index(data["y"][0]) + 1) % 3]  # wrong, but surely right
    data.to_csv(tmp_path / "t.csv", index=False)
    options = ("--gold", "sure", "--group", "camera", "--no-trust", "--id", "name")
    result = fit(tmp_path / "t.csv", tmp_path / "run", *options, "--test", sealed(tmp_path))
    assert result.exit_code == 0, result.output
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["feature_names_in"] == list("abcd")
    assert (config["data"]["gold"], config["data"]["group"]) == ("sure", "camera")
    labels = pd.read_csv(tmp_path / "run" / "labels.csv")
    assert labels["refined_label"][:3].tolist() == data["y"][:3].tolist()
    assert (labels["credibility"][:3] == 1).all()
    assert len(predicted(tmp_path / "run", sealed(tmp_path))) == 30
