"""Texts and pretrained encoders on the command line: fit, predict, report, list."""

import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from typer.testing import Result

from cli.shell import QUICK, contents, credprop, error_line, fit, image_folder, start
from credprop import CCPClassifier
from credprop.training.checkpoint import load_checkpoint
from text_world import LABELED, ROWS, block, labels, texts, truth

TEXT = ("--text", "words", "--id", "name")
READ = (*TEXT, "--encoder", "text")
COUNT = (*TEXT, "--encoder", "text_world:make_counter")
SAME = ("labels.csv", "model.safetensors", "tokenizer.json")


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of vectors for the tests in this file only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CREDPROP_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def frame(rows: int = ROWS, labeled: int = LABELED, seed: int = 0) -> pd.DataFrame:
    names = [f"t{i}" for i in range(rows)]
    return pd.DataFrame({"name": names, "words": texts(rows, seed), "y": labels(rows, labeled), "n": 3})


def table(folder: Path, name: str = "t.csv", **options: Any) -> Path:
    data, path = frame(**options), folder / name
    write = {
        ".csv": lambda: data.to_csv(path, index=False),
        ".tsv": lambda: data.to_csv(path, index=False, sep="\t"),
        ".jsonl": lambda: data.to_json(path, orient="records", lines=True),
        ".parquet": lambda: data.to_parquet(path),
    }
    write[path.suffix]()
    return path


def sealed(folder: Path) -> Path:
    return table(folder, "test.csv", rows=30, labeled=30, seed=1)


def metrics(run: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((run / "metrics.json").read_text())
    return found


def done(result: Result) -> Result:
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with the text network; not to be changed."""
    folder = tmp_path_factory.mktemp("finished")
    done(fit(table(folder), folder / "run", *READ, "--test", sealed(folder)))
    return folder / "run"


def test_a_run_on_texts_holds_what_all_runs_do_and_the_tokenizer(finished: Path) -> None:
    found = metrics(finished)
    assert (found["rows"], found["labeled"], found["classes"]) == (ROWS, LABELED, 2)
    assert found["test_rows"] == 30
    assert found["encode_seconds"] is None
    assert json.loads((finished / "tokenizer.json").read_text())["kind"] == "byte pairs"
    listed = pd.read_csv(finished / "labels.csv")
    assert listed["id"].tolist() == frame()["name"].tolist()
    assert texts()[0] in (finished / "report.html").read_text()


@pytest.mark.parametrize("ending", ["tsv", "jsonl", "parquet"])
def test_the_same_texts_in_another_format_give_the_same_run(
    finished: Path, tmp_path: Path, ending: str
) -> None:
    done(fit(table(tmp_path, f"t.{ending}"), tmp_path / "run", *READ, "--quiet"))
    for name in SAME:
        assert (tmp_path / "run" / name).read_bytes() == (finished / name).read_bytes()


def test_a_run_of_texts_is_that_of_the_classifier_and_predicts_like_it(
    finished: Path, tmp_path: Path
) -> None:
    loaded = CCPClassifier.load(finished)
    params = loaded.get_params() | {"unlabeled_label": None}
    fresh = CCPClassifier(**params).fit(texts(), labels())
    assert (fresh.credibility_vectors_ == loaded.credibility_vectors_).all()
    new = table(tmp_path, rows=20, seed=2)
    done(credprop("predict", finished, new, "--id", "name", "--out", tmp_path / "p.jsonl"))
    found = pd.read_json(tmp_path / "p.jsonl", lines=True)
    assert found["id"].tolist() == [f"t{i}" for i in range(20)]
    assert found["label"].tolist() == loaded.predict(texts(20, seed=2)).tolist()
    report = done(credprop("report", finished, "--json"))
    assert texts()[0] in Path(json.loads(report.stdout)["report"]).read_text()


def test_a_run_with_a_sentence_encoder_says_so_and_how_long_the_encoding_took(tmp_path: Path) -> None:
    options = ("--encoder", "sentence", "--test", sealed(tmp_path), "--json")
    result = done(fit(table(tmp_path), tmp_path / "run", *TEXT, *options))
    found = json.loads(result.stdout)
    assert 0 <= found["encode_seconds"] <= found["seconds"]
    assert "sentence:all-MiniLM-L6-v2 turns texts into vectors (as asked for)\n" in result.stderr
    assert not (tmp_path / "run" / "tokenizer.json").exists()
    done(credprop("predict", tmp_path / "run", tmp_path / "test.csv", "--out", tmp_path / "p.csv"))
    predicted = pd.read_csv(tmp_path / "p.csv")["label"]
    assert (predicted == [truth(i) for i in range(30)]).mean() == found["test_accuracy"]


def test_auto_says_which_encoder_it_chose_and_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = table(tmp_path)
    here = done(fit(data, tmp_path / "one", *TEXT))
    assert "sentence:all-MiniLM-L6-v2 turns texts into vectors (sentence-transformers is" in here.stderr
    block(monkeypatch, "sentence_transformers")
    without = done(fit(data, tmp_path / "two", *TEXT))
    assert "tokens are read (by the text network: sentence-transformers is not installed" in without.stderr
    message = error_line(fit(data, tmp_path / "three", *TEXT, "--encoder", "sentence", "--quiet"))
    assert message.endswith("is not installed; run pip install 'credprop[embed]'\n")
    assert not (tmp_path / "three").exists()
    message = error_line(credprop("predict", tmp_path / "one", data, "--out", tmp_path / "p.csv"))
    assert "pip install 'credprop[embed]'" in message
    assert not (tmp_path / "p.csv").exists()
    done(credprop("report", tmp_path / "one"))


def test_images_are_learned_from_by_a_pretrained_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = image_folder(tmp_path)
    result = done(fit(data, tmp_path / "run", "--encoder", "pretrained", "--test", data))
    assert "pretrained:efficientnet-lite0 turns images into vectors" in result.stderr
    assert metrics(tmp_path / "run")["encode_seconds"] is not None
    done(credprop("predict", tmp_path / "run", data, "--out", tmp_path / "p.csv"))
    assert len(pd.read_csv(tmp_path / "p.csv")) == 18
    block(monkeypatch, "efficientnet_lite_pytorch")
    message = error_line(fit(data, tmp_path / "other", "--encoder", "pretrained", "--quiet"))
    assert "pip install 'credprop[vision]'" in message
    assert not (tmp_path / "other").exists()


def test_a_custom_frozen_encoder_by_its_path(tmp_path: Path) -> None:
    data = table(tmp_path)
    done(fit(data, tmp_path / "run", *COUNT))
    call = ("predict", tmp_path / "run", data, "--out", tmp_path / "p.csv")
    message = error_line(credprop(*call))
    assert "'counter', a custom encoder; use --allow-import" in message
    done(credprop(*call, "--allow-import"))


def test_word_vectors_are_a_file_or_bpemb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, file = table(tmp_path), tmp_path / "v.txt"
    file.write_text("2 3\ngoal 1 2 3\nbank 4 5 6\n")
    result = done(fit(data, tmp_path / "run", *TEXT, "--vectors", file))
    assert "v.txt has vectors for 2 of" in result.stderr
    done(credprop("predict", tmp_path / "run", data, "--out", tmp_path / "p.csv"))
    block(monkeypatch, "bpemb")
    message = error_line(fit(data, tmp_path / "other", *TEXT, "--vectors", "bpemb", "--quiet"))
    assert "pip install 'credprop[bpemb]'" in message


def test_bpemb_is_english_unless_a_language_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def download(lang: str, **sizes: int) -> None:
        asked.append(lang)
        raise OSError("no network")

    monkeypatch.setitem(sys.modules, "bpemb", SimpleNamespace(BPEmb=download))
    for vectors in ("bpemb", "bpemb:ru"):
        error_line(fit(table(tmp_path), tmp_path / "run", *TEXT, "--vectors", vectors, "--quiet"))
    assert asked == ["en", "ru"]


def test_empty_texts_of_test_and_new_rows_are_noted(tmp_path: Path) -> None:
    data, rows = table(tmp_path), frame(rows=30, labeled=30, seed=1)
    rows.loc[3, "words"] = ""
    rows.to_csv(tmp_path / "gap.csv", index=False)
    result = done(fit(data, tmp_path / "run", *COUNT, "--test", tmp_path / "gap.csv"))
    assert "gap.csv: column 'words', row 4 is empty" in result.stderr
    call = ("predict", tmp_path / "run", tmp_path / "gap.csv", "--allow-import")
    result = done(credprop(*call, "--out", tmp_path / "p.csv"))
    assert "column 'words', row 4 is empty" in result.stderr


def test_empty_texts_are_noted_once_with_their_column(tmp_path: Path) -> None:
    data = tmp_path / "t.csv"
    frame().assign(words=["", *texts()[1:]]).to_csv(data, index=False)
    result = done(fit(data, tmp_path / "run", *COUNT))
    assert result.stderr.count("empty") == 2  # in one note: is empty and read as empty text
    assert "column 'words', row 1 is empty" in result.stderr


WRONG = {
    "no such column": (["--text", "word"], "there is no column 'word'"),
    "encoder for vectors": (["--text", "words", "--encoder", "mlp"], "takes vectors, the rows are text"),
    "preset for images": (["--text", "words", "--preset", "cifar10"], "preset 'cifar10' is"),
    "preset and encoder": (
        ["--text", "words", "--preset", "text-yahoo", "--encoder", "sentence"],
        "preset 'text-yahoo' is for",
    ),
    "vectors without texts": (["--vectors", "bpemb"], "word vectors are for the text network"),
    "vectors that are not there": (["--text", "words", "--vectors", "none.bin"], "none.bin: cannot be read"),
    "test of vectors": (["--text", "words", "--test", "x.npz"], "holds vectors of 4 features"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_calls_are_shown_in_a_line_and_leave_nothing(name: str, tmp_path: Path) -> None:
    from cli.shell import arrays

    options, words = WRONG[name]
    data = table(tmp_path)
    options = [str(arrays(tmp_path)) if option == "x.npz" else option for option in options]
    before = contents(tmp_path)
    assert words in error_line(fit(data, tmp_path / "run", *options, "--quiet"))
    assert contents(tmp_path) == before


def test_texts_are_predicted_from_tables_with_their_column(finished: Path, tmp_path: Path) -> None:
    frame().rename(columns={"words": "body"}).to_csv(tmp_path / "t.csv", index=False)
    call = ("predict", finished, tmp_path / "t.csv", "--out", tmp_path / "p.csv")
    assert "there is no column 'words'" in error_line(credprop(*call))
    done(credprop(*call, "--text", "body"))
    message = error_line(credprop("predict", finished, image_folder(tmp_path), "--out", tmp_path / "q.csv"))
    assert "holds images of 6 x 6 x 3, but" in message
    CCPClassifier.load(finished).save(tmp_path / "saved")
    saved = ("predict", tmp_path / "saved", tmp_path / "t.csv", "--out", tmp_path / "r.csv")
    assert "name the text column with --text" in error_line(credprop(*saved))
    done(credprop(*saved, "--text", "body"))


def test_a_run_over_an_older_one_removes_its_tokenizer(tmp_path: Path) -> None:
    data = table(tmp_path)
    done(fit(data, tmp_path / "run", *READ))
    done(fit(data, tmp_path / "run", *COUNT, "--overwrite"))
    assert not (tmp_path / "run" / "tokenizer.json").exists()
    assert fit(data, tmp_path / "run", *COUNT, "--resume").exit_code == 0
    frame().assign(words=["changed", *texts()[1:]]).to_csv(data, index=False)
    assert "was created with different data" in error_line(
        fit(data, tmp_path / "run", *COUNT, "--resume", "--quiet")
    )


def test_a_killed_run_on_texts_continues_and_ends_like_an_uninterrupted_one(
    finished: Path, tmp_path: Path
) -> None:
    data = table(tmp_path)
    call = ("fit", data, "--label", "y", "--out", tmp_path / "run", *READ, *QUICK)
    killed, checkpoint = start(*call), tmp_path / "run" / "checkpoint/training/ccp.safetensors"
    while not checkpoint.exists() or load_checkpoint(checkpoint)[1]["stage"] < 2:
        assert killed.poll() is None, killed.communicate()
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    done(fit(data, tmp_path / "run", *READ, "--resume"))
    for name in SAME:
        assert (tmp_path / "run" / name).read_bytes() == (finished / name).read_bytes()


@pytest.mark.parametrize("what", ["presets", "encoders"])
def test_names_include_those_for_texts(what: str) -> None:
    found = json.loads(done(credprop("list", what, "--json")).stdout)[what]
    names = {"presets": {"auto", "auto (text)", "text-yahoo"}, "encoders": {"text", "sentence", "pretrained"}}
    assert names[what] <= set(found)
    assert done(credprop("list", what)).stdout.startswith(next(iter(found)))
