"""Official text data sets: read the files of their authors, each with its usual split."""

import csv
import io
import re
import tarfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from credprop.bench.downloads import DAMAGED, File, damaged, obtain

Texts = tuple[
    NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]
]  # training texts and classes, test texts and classes
_Part = tuple[list[str], list[Any]]

# The archives of Zhang et al. 2015 are on Google Drive. The MD5 checksums are those published by torchtext;
# for AG News, they are of the two unpacked files in the copy that torchtext uses.
_ZHANG = "https://drive.google.com/uc?export=download&confirm=t&id="
_AG_NEWS = "https://raw.githubusercontent.com/mhjabreel/CharCnn_Keras/master/data/ag_news_csv"
AG_NEWS = (
    File(f"{_AG_NEWS}/train.csv", "b1a00f826fdfbd249f79597b59e1dc12", "ag_news_csv/train.csv"),
    File(f"{_AG_NEWS}/test.csv", "d52ea96a97a2d943681189a97654912d", "ag_news_csv/test.csv"),
)
DBPEDIA = File(
    f"{_ZHANG}0Bz8a_Dbh9QhbQ2Vic1kxMmZZQ1k", "dca7b1ae12b1091090db52aa7ec5ca64", "dbpedia_csv.tar.gz"
)
YAHOO_ANSWERS = File(
    f"{_ZHANG}0Bz8a_Dbh9Qhbd2JNdDBsQUdocVU", "f3f9899b997a42beb24157e62e3eea8d", "yahoo_answers_csv.tar.gz"
)
# The authors of these two publish no checksums: the first is from a public loader of the same URL, the second
# is from scikit-learn for the same archive.
ROTTEN_TOMATOES = File(
    "https://www.cs.cornell.edu/people/pabo/movie-review-data/rt-polaritydata.tar.gz",
    "50c1c2c047b4225e148e97aa7708c34e",
)
NEWSGROUPS = File(
    "http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz",
    "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
)
_TENTH = 10  # every tenth sentence of Rotten Tomatoes is in the test set
_QUOTED = re.compile(r"writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^[|>]")
_UNREADABLE = (*DAMAGED, csv.Error, IndexError)


def read_zhang_files(train: Path, test: Path) -> Texts:
    """Texts and classes 0 .. k-1 from two CSV files of class, title and description.

    Line ends in these files were replaced by backslashes, which cannot be told from others and are kept.
    """
    parts = []
    for path in (train, test):
        try:
            parts.append(_zhang_rows(path.open("rb"), line_end=None))
        except _UNREADABLE as error:
            raise damaged(path, str(error)) from error
    return _arrays(train, *parts)


def read_zhang_archive(path: Path) -> Texts:
    r"""Texts and classes 0 .. k-1 from train.csv and test.csv in an archive; "\n" is a line end."""
    folder = path.name.removesuffix(".tar.gz")
    parts = []
    try:
        with tarfile.open(path, "r:gz") as archive:
            for name in ("train.csv", "test.csv"):
                parts.append(_zhang_rows(_member(archive, f"{folder}/{name}"), line_end=r"\n"))
    except _UNREADABLE as error:
        raise damaged(path, str(error)) from error
    return _arrays(path, *parts)


def read_polarity(path: Path) -> Texts:
    """Sentences and their polarity (0 negative, 1 positive) from the archive of Pang and Lee 2005.

    It has no official split: every tenth line of each file (1, 11, 21, ...) is in the test set.
    """
    parts: tuple[_Part, _Part] = ([], []), ([], [])
    try:
        with tarfile.open(path, "r:gz") as archive:
            for code, ending in enumerate(("neg", "pos")):
                content = _member(archive, f"rt-polaritydata/rt-polarity.{ending}").read()
                for i, line in enumerate(content.decode("latin-1").split("\n")):
                    texts, codes = parts[i % _TENTH == 0]
                    if line.strip():
                        texts.append(line.strip())
                        codes.append(code)
    except _UNREADABLE as error:
        raise damaged(path, str(error)) from error
    return _arrays(path, *parts)


def read_newsgroups(path: Path) -> Texts:
    """Posts and names of their newsgroups from the archive split by date, ordered by group and number."""
    parts: list[_Part] = []
    try:
        with tarfile.open(path, "r:gz") as archive:
            posts = {
                (part, group, int(number)): _member(archive, member).read().decode("latin-1")
                for member in archive
                if member.isfile()
                for part, group, number in [member.name.split("/")]
            }
    except _UNREADABLE as error:
        raise damaged(path, str(error)) from error
    for part in ("20news-bydate-train", "20news-bydate-test"):
        keys = sorted(key for key in posts if key[0] == part)
        parts.append(([stripped(posts[key]) for key in keys], [group for _, group, _ in keys]))
    return _arrays(path, *parts)


def stripped(post: str) -> str:
    """A post without headers, signature and quotes, by the rules of scikit-learn's `fetch_20newsgroups`.

    Headers end at the first blank line. Everything after the last line that is blank or consists of hyphens
    is the signature. Quoted lines, and lines that introduce a quote, are removed.
    """
    body = post.partition("\n\n")[2]
    lines = body.strip().split("\n")
    last = max((i for i, line in enumerate(lines) if not line.strip().strip("-")), default=0)
    lines = lines[:last] if last else body.split("\n")
    text = "\n".join(line for line in lines if not _QUOTED.search(line))
    return text if text.strip() else ""


def _member(archive: tarfile.TarFile, name: str | tarfile.TarInfo) -> IO[bytes]:
    file = archive.extractfile(name)
    if file is None:
        raise ValueError(f"{name} is not a file")
    return file


def _zhang_rows(file: IO[bytes], line_end: str | None) -> _Part:
    """Texts and classes of a CSV file without header: the class, counted from 1, then parts of the text.

    Closes the file.
    """
    texts: list[str] = []
    codes: list[Any] = []
    with io.TextIOWrapper(file, encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines):
            codes.append(int(row[0]) - 1)
            text = " ".join(part.strip() for part in row[1:] if part.strip())
            texts.append(text if line_end is None else text.replace(line_end, "\n"))
    return texts, codes


def _arrays(path: Path, *parts: _Part) -> Texts:
    (x, y), (test_x, test_y) = parts
    if not (x and test_x):
        raise damaged(path, "no training or no test rows")
    return _objects(x), np.array(y), _objects(test_x), np.array(test_y)


def _objects(texts: Sequence[str]) -> NDArray[Any]:
    array = np.empty(len(texts), dtype=object)
    array[:] = texts
    return array


def _obtained(files: Iterable[File]) -> list[Path]:
    return [obtain(file) for file in files]


READERS: dict[str, Callable[[], Texts]] = {
    "ag-news": lambda: read_zhang_files(*_obtained(AG_NEWS)),
    "dbpedia": lambda: read_zhang_archive(obtain(DBPEDIA)),
    "rotten-tomatoes": lambda: read_polarity(obtain(ROTTEN_TOMATOES)),
    "yahoo-answers": lambda: read_zhang_archive(obtain(YAHOO_ANSWERS)),
    "20newsgroups": lambda: read_newsgroups(obtain(NEWSGROUPS)),
}
