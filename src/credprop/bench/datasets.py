"""Data sets by name or from a file: labeled training and test rows."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credprop.bench import downloads, downloads_text
from credprop.bench.cells import class_order
from credprop.data import column_names, read_source

TEST_SHARE = 30  # % of the rows, if the data has no test split
_EXTENSIONS = ("", ".npz", ".parquet", *(f".{e}{gz}" for e in ("csv", "tsv", "jsonl") for gz in ("", ".gz")))
_SEED = 0  # of the test split and the sample of rows: the same in every bench

_ABOUT = {
    "digits": "vectors: 1,797 handwritten digits of 8 x 8 pixels in 10 classes; ships with scikit-learn",
    "cifar10": "images: 60,000 of 32 x 32 pixels in 10 classes; 170 MB",
    "cifar100": "images: 60,000 of 32 x 32 pixels in 100 classes; 170 MB",
    "mnist": "images: 70,000 handwritten digits of 28 x 28 pixels in 10 classes; 12 MB",
    "ag-news": "texts: 120,000 training, 7,600 test news in 4 classes; Zhang et al. 2015; 31 MB",
    "dbpedia": "texts: 560,000 training, 70,000 test entries in 14 classes; Zhang et al. 2015; 68 MB",
    "rotten-tomatoes": "texts: 9,594 training, 1,068 test lines in 2 classes; Pang, Lee 2005; 0.5 MB",
    "yahoo-answers": "texts: 1,400,000 training, 60,000 test rows in 10 classes; Zhang et al. 2015; 320 MB",
    "20newsgroups": "texts: 11,314 training, 7,532 test posts in 20 classes; 20news-bydate; 14 MB",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Dataset:
    """Labeled training and test rows, with notes for the user.

    `made_by` identifies rows that were computed from others: which rows, and how.
    """

    name: str
    kind: str  # "vectors", "images", "text" (an object array of str) or "tokens"
    x: Any  # an array, or Tokens
    y: NDArray[Any]
    test_x: Any
    test_y: NDArray[Any]
    notes: tuple[str, ...] = ()
    made_by: str = ""

    def fingerprint(self) -> str:
        """A hash of all rows and labels in order."""
        if self.made_by:
            return self.made_by
        digest = hashlib.sha256()
        for array in (self.x, self.y, self.test_x, self.test_y):
            digest.update(f"{array.dtype} {array.shape}".encode())
            if array.dtype == object:
                for text in array:
                    digest.update(len(content := text.encode()).to_bytes(8, "big") + content)
            else:
                digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def load_dataset(name: str, *, rows: int | None = None, **columns: Any) -> Dataset:
    """The data set with this name or in this file; `rows` takes a stratified sample of the training rows.

    Names are those of `dataset_names`. `columns` are arguments of `read_source`; if none is given, the
    columns `label` and `text` of a table under CREDPROP_DATA are used.
    """
    loaders = {"digits": _digits, "cifar10": _cifar10, "cifar100": _cifar100, "mnist": _mnist}
    loaders |= {text: partial(_texts, text) for text in downloads_text.READERS}
    if (path := _in_data_folder(name)) is not None:
        data = _from_file(name, path, **(columns if any(columns.values()) else _default_columns(path)))
    elif name not in loaders and Path(name).exists():
        data = _from_file(name, Path(name), **columns)
    elif name not in loaders:
        names = ", ".join(dataset_names())
        raise ValueError(f"no data set or file {name!r}; use a path to a file, or one of {names}")
    elif any(columns.values()):
        raise ValueError(
            f"{name} has no columns to choose from; leave out --label, --features, --text and --image"
        )
    else:
        data = loaders[name]()
    return data if rows is None else _with_rows(data, rows)


def dataset_names() -> dict[str, str]:
    """All data set names with a description: built-in ones, and files under CREDPROP_DATA."""
    folder = os.environ.get("CREDPROP_DATA")
    files = sorted(Path(folder).rglob("*")) if folder else []
    found = {}
    for path in files:
        name = path.relative_to(folder or "").as_posix()
        extension = next((e for e in sorted(_EXTENSIONS[1:], key=len) if name.endswith(e)), None)
        if extension and path.is_file():
            found[name.removesuffix(extension)] = str(path)
    return found | _ABOUT


def stratified(y: NDArray[Any], n: int, seed: int) -> NDArray[np.intp]:
    """Sorted indices of a stratified sample of `n` rows (largest remainder method)."""
    order = class_order(y)
    members = [np.flatnonzero(y == name) for name in order]
    share = np.array([len(rows) for rows in members]) * (n / len(y))
    take = np.floor(share + 1e-9).astype(int)
    largest = np.argsort(take - share, kind="stable")  # largest remainders first
    take[largest[: n - take.sum()]] += 1
    rng = np.random.default_rng(seed)
    chosen = [rng.permutation(rows)[:m] for rows, m in zip(members, take, strict=True)]
    return np.sort(np.concatenate(chosen))


def _in_data_folder(name: str) -> Path | None:
    """The file under CREDPROP_DATA with this name, with or without extension; ag-news may be ag_news.csv."""
    folder = os.environ.get("CREDPROP_DATA")
    names = (name, name.replace("-", "_")) if name in downloads_text.READERS else (name,)
    found = (Path(folder or "", n + extension) for n in names for extension in _EXTENSIONS)
    return next((path for path in found if path.is_file()), None) if folder and name != "digits" else None


def _default_columns(path: Path) -> dict[str, str]:
    """The columns `label` and `text`, if the table has them."""
    return {role: role for role in ("label", "text") if role in column_names(path)}


def _from_file(name: str, path: Path, **columns: Any) -> Dataset:
    source = read_source(path, part="both", **columns)
    assert source.labels is not None
    split = np.array(source.split if source.split is not None else [""] * len(source))
    labeled = np.array([label is not None for label in source.labels])
    parts = [np.flatnonzero((split == part) & labeled) for part in ("train", "test")]
    if not {"train", "test"} <= set(split.tolist()):
        parts = _split_rows(source.labels, np.flatnonzero(labeled))
    if not all(map(len, parts)):
        raise ValueError(f"{path}: a bench needs labeled training and test rows; label some of each")
    (x, y), (test_x, test_y) = (
        (source.x[rows], np.array([source.labels[i] for i in rows])) for rows in parts
    )
    others = [column for column in source.left_out if column != "split"]
    notes = list(source.warnings)
    notes += [f"columns not used as features: {', '.join(others)}"] if others else []
    unused = len(source) - sum(map(len, parts))
    notes += [f"{unused} rows are not used: no label, or a split other than train and test"] if unused else []
    notes += [f"{name} is read from {path}"] if name in _ABOUT else []
    title = Path(name).name if Path(name) == path else name
    return Dataset(name=title, kind=source.kind, x=x, y=y, test_x=test_x, test_y=test_y, notes=tuple(notes))


def _split_rows(labels: Sequence[object], rows: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """A stratified split into training and test rows."""
    if not len(rows):
        return [rows, rows]
    y = np.array([labels[i] for i in rows])
    test = np.zeros(len(y), dtype=bool)
    test[stratified(y, round(TEST_SHARE * len(y) / 100), _SEED)] = True
    return [rows[~test], rows[test]]


def _with_rows(data: Dataset, n: int) -> Dataset:
    if n >= len(data.y):
        note = f"{data.name} has only {len(data.y):,} training rows; all are used"
        return replace(data, notes=(*data.notes, note))
    rows = stratified(data.y, n, _SEED)
    if len(class_order(data.y[rows])) < len(class_order(data.y)):
        raise ValueError(f"{n} rows of {data.name} are too few to include every class; increase --rows")
    return replace(data, x=data.x[rows], y=data.y[rows])


def _digits() -> Dataset:
    from sklearn.datasets import load_digits

    x, y = load_digits(return_X_y=True)
    train, test = _split_rows(y.tolist(), np.arange(len(y)))
    x = x.astype(np.float32)
    return Dataset(name="digits", kind="vectors", x=x[train], y=y[train], test_x=x[test], test_y=y[test])


def _texts(name: str) -> Dataset:
    x, y, test_x, test_y = downloads_text.READERS[name]()
    empty = sum(not text for part in (x, test_x) for text in part)
    notes = (f"empty texts: {empty:,}",) if empty else ()
    return Dataset(name=name, kind="text", x=x, y=y, test_x=test_x, test_y=test_y, notes=notes)


def _cifar10() -> Dataset:
    return _images("cifar10", downloads.read_cifar10(downloads.obtain(downloads.CIFAR10)))


def _cifar100() -> Dataset:
    return _images("cifar100", downloads.read_cifar100(downloads.obtain(downloads.CIFAR100)))


def _mnist() -> Dataset:
    return _images("mnist", downloads.read_mnist([downloads.obtain(file) for file in downloads.MNIST]))


def _images(name: str, arrays: downloads.Arrays) -> Dataset:
    x, y, test_x, test_y = arrays
    return Dataset(name=name, kind="images", x=x, y=y, test_x=test_x, test_y=test_y)
