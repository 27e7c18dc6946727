"""Official text data sets are read from the files of their authors."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import _twenty_newsgroups as sklearn_newsgroups

from bench.archives import tar
from credprop.bench import dataset_names, downloads_text, load_dataset
from credprop.bench.cells import class_counts
from credprop.bench.downloads_text import READERS, stripped

NAMES = ["ag-news", "dbpedia", "rotten-tomatoes", "yahoo-answers", "20newsgroups"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of data, an empty cache, no network."""
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("CREDPROP_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def urlopen(url: str, timeout: float) -> Any:
        raise OSError("no network")

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    return tmp_path / "data"


def test_ag_news_is_read_from_its_two_csv_files(folder: Path) -> None:
    (folder / "ag_news_csv").mkdir()
    train = (
        '"3","Wall St. Bears","Short-sellers, ""ultra-cynics"",\\band; Zürich"\n"1","World","two\nlines"\n'
    )
    (folder / "ag_news_csv" / "train.csv").write_text(train, encoding="utf-8")
    (folder / "ag_news_csv" / "test.csv").write_text('"4"," Space ",""\n')
    data = load_dataset("ag-news")
    assert (data.name, data.kind, data.x.dtype, data.x.shape) == ("ag-news", "text", np.dtype(object), (2,))
    assert data.x[0] == 'Wall St. Bears Short-sellers, "ultra-cynics",\\band; Zürich'
    assert data.x[1] == "World two\nlines"
    assert (data.test_x.tolist(), data.y.tolist(), data.test_y.tolist()) == (["Space"], [2, 0], [3])


@pytest.mark.parametrize(
    ("name", "inside"), [("dbpedia", "dbpedia_csv"), ("yahoo-answers", "yahoo_answers_csv")]
)
def test_archives_of_zhang_are_read_with_all_parts_of_a_text_and_its_line_ends(
    folder: Path, name: str, inside: str
) -> None:
    train = rb'"10","why?","","because\nof ""that"""' + b"\n" + rb'1,"a title","a text"' + b"\n"
    members = {"classes.txt": b"A\nB\n", "train.csv": train, "test.csv": b'"2","t","d"\n'}
    tar(folder / f"{inside}.tar.gz", {f"{inside}/{file}": content for file, content in members.items()})
    data = load_dataset(name)
    assert data.x.tolist() == ['why? because\nof "that"', "a title a text"]
    assert (data.y.tolist(), data.test_x.tolist(), data.test_y.tolist()) == ([9, 0], ["t d"], [1])


def test_a_tenth_of_either_polarity_of_rotten_tomatoes_is_the_test_set(folder: Path) -> None:
    negative, positive = (
        "".join(f"{sign} café {i} \n" for i in range(n)) for sign, n in (("-", 25), ("+", 30))
    )
    members = {"neg": negative.encode("latin-1"), "pos": positive.encode("latin-1")}
    tar(
        folder / "rt-polaritydata.tar.gz",
        {f"rt-polaritydata/rt-polarity.{end}": content for end, content in members.items()},
    )
    data = load_dataset("rotten-tomatoes")
    tests = [f"- café {i}" for i in (0, 10, 20)] + [f"+ café {i}" for i in (0, 10, 20)]
    assert data.test_x.tolist() == tests
    assert data.test_y.tolist() == [0, 0, 0, 1, 1, 1]
    everything = [f"- café {i}" for i in range(25)] + [f"+ café {i}" for i in range(30)]
    assert data.x.tolist() == [text for text in everything if text not in tests]
    assert class_counts(data.y) == [22, 27]


POST = "From: a@b\n\nIn article <1> b writes:\n> quoted\nMy own words.\n\nMore of them.\n\n--\nA. Name\n"
POSTS = [
    POST,
    "From: a\n\nNo signature",
    "From: a\n\n\n\n",
    "no header",
    "H: 1\n\n> all\n| quoted\nHe said: this",
    "H: 1\n\n---\nafter a line\n",
    "H: 1\n\n one \n\n two \n ---- \n three \n\n\n",
    "H: 1\n\n\n  first\n\nlast",
]


@pytest.mark.parametrize("post", POSTS)
def test_a_post_is_stripped_as_scikit_learn_does_it(post: str) -> None:
    text = sklearn_newsgroups.strip_newsgroup_header(post)
    text = sklearn_newsgroups.strip_newsgroup_footer(text)
    text = sklearn_newsgroups.strip_newsgroup_quoting(text)
    assert stripped(post) == (text if text.strip() else "")


def test_newsgroups_are_read_by_date_in_order_of_group_and_number(folder: Path) -> None:
    members = {
        "20news-bydate-test/sci.med/7": POST,
        "20news-bydate-train/sci.med/101": "H: 1\n\nsecond\xe9",
        "20news-bydate-train/sci.med/99": "H: 1\n\nfirst",
        "20news-bydate-train/alt.atheism/500": "H: 1\n\n> nothing of its own",
    }
    tar(folder / "20news-bydate.tar.gz", {name: text.encode("latin-1") for name, text in members.items()})
    data = load_dataset("20newsgroups")
    assert data.x.tolist() == ["", "first", "second\xe9"]
    assert data.y.tolist() == ["alt.atheism", "sci.med", "sci.med"]
    assert (data.test_x.tolist(), data.test_y.tolist()) == (["My own words.\n\nMore of them.\n"], ["sci.med"])
    assert data.notes == ("empty texts: 1",)


@pytest.mark.parametrize(
    "content",
    [b"", b"no archive", gzip.compress(b"no tar"), b'"x","y"\n', b"\xff,1\n"],
    ids=["empty", "words", "packed words", "csv", "not UTF-8"],
)
@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_file_is_one_clear_line(folder: Path, name: str, content: bytes) -> None:
    (folder / "ag_news_csv").mkdir()
    files = (*downloads_text.AG_NEWS, downloads_text.DBPEDIA, downloads_text.YAHOO_ANSWERS)
    for file in (*files, downloads_text.ROTTEN_TOMATOES, downloads_text.NEWSGROUPS):
        (folder / file.name).write_bytes(content)
    with pytest.raises(ValueError, match=r"(gz|csv): damaged or not the expected file \(.*delete it") as said:
        load_dataset(name)
    assert "\n" not in str(said.value)


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_of_something_else_is_refused(folder: Path, name: str) -> None:
    for file in (downloads_text.DBPEDIA, downloads_text.YAHOO_ANSWERS, downloads_text.ROTTEN_TOMATOES):
        tar(folder / file.name, {"other": b"1,2,3\n"})
    tar(folder / downloads_text.NEWSGROUPS.name, {"a/b/1": b"x\n\ny"})
    with pytest.raises(ValueError, match=r"damaged or not the expected file|no network"):
        load_dataset(name)


@pytest.mark.parametrize("name", NAMES)
def test_without_a_network_the_error_says_which_file_to_save_where(
    folder: Path, tmp_path: Path, name: str
) -> None:
    with pytest.raises(ValueError, match="no network") as said:
        load_dataset(name)
    file = {
        "ag-news": "ag_news_csv/train.csv",
        "dbpedia": "dbpedia_csv.tar.gz",
        "rotten-tomatoes": "rt-polaritydata.tar.gz",
        "yahoo-answers": "yahoo_answers_csv.tar.gz",
        "20newsgroups": "20news-bydate.tar.gz",
    }[name]
    for place in (folder / file, tmp_path / "cache" / "credprop" / file):
        assert str(place) in str(said.value)
    assert "download http" in str(said.value)


def test_every_text_that_is_listed_can_be_loaded_and_says_rows_classes_and_source() -> None:
    assert list(READERS) == NAMES
    for name in NAMES:
        about = dataset_names()[name]
        assert all(word in about for word in ("texts: ", " training, ", " test ", " classes; ", " MB"))
