"""Data sets by name or from a file."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_digits

from credprop.bench import class_counts, dataset_names, load_dataset
from credprop.bench.datasets import stratified
from credprop.data import read_source


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of data and an empty cache."""
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("CREDPROP_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def table(split: list[str] | None, n: int = 100) -> str:
    names = ["a", "kind", *(["split"] if split else [])]
    rows = [[str(i), "uvw"[i % 3], *([split[i % len(split)]] if split else [])] for i in range(n)]
    return "\n".join(",".join(row) for row in [names, *rows]) + "\n"


def test_digits_ship_with_scikit_learn_and_thirty_percent_of_every_class_are_the_test_set() -> None:
    data = load_dataset("digits")
    x, y = load_digits(return_X_y=True)
    assert (len(data.y), len(data.test_y)) == (1258, 539)
    shares = np.array(class_counts(data.test_y)) / np.bincount(y)
    assert abs(shares - 0.3).max() < 0.01
    rows = {tuple(row) for row in data.x.tolist()}
    assert not rows & {tuple(row) for row in data.test_x.tolist()}
    assert rows <= {tuple(row) for row in x.tolist()}
    assert data.fingerprint() == load_dataset("digits").fingerprint()
    assert data.kind == "vectors"


def test_rows_are_drawn_by_class_and_the_test_set_stays_whole() -> None:
    whole, data = load_dataset("digits"), load_dataset("digits", rows=500)
    assert len(data.y) == 500
    assert data.test_x.tolist() == whole.test_x.tolist()
    expected = np.array(class_counts(whole.y)) * 500 / 1258
    assert abs(np.array(class_counts(data.y)) - expected).max() < 1
    assert data.fingerprint() != whole.fingerprint()
    more = load_dataset("digits", rows=5000)
    assert more.fingerprint() == whole.fingerprint()
    assert "1,258 training rows" in more.notes[-1]
    with pytest.raises(ValueError, match="too few to include every class"):
        load_dataset("digits", rows=6)


def test_largest_remainders_get_what_is_left() -> None:
    y = np.array(["a"] * 5 + ["b"] * 3 + ["c"] * 2)
    rows = stratified(y, 5, seed=0)  # 2.5, 1.5 and 1: the first of equal remainders
    assert class_counts(y[rows]) == [3, 1, 1]
    assert rows.tolist() == sorted(set(rows.tolist()))
    assert class_counts(y[stratified(y, 10, seed=0)]) == [5, 3, 2]


def test_a_split_column_with_both_parts_is_used_and_other_words_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(table(["train", "train", "test", "val"]))
    data = load_dataset("t.csv", label="kind")
    assert data.name == "t.csv"
    assert sorted(data.x[:, 0].tolist()) == [i for i in range(100) if i % 4 < 2]
    assert sorted(data.test_x[:, 0].tolist()) == [i for i in range(100) if i % 4 == 2]
    assert data.y[:3].tolist() == ["u", "v", "v"]
    assert data.notes == ("25 rows are not used: no label, or a split other than train and test",)


@pytest.mark.parametrize("split", [None, ["train"], ["train", "val"], ["1", "2"]])
def test_without_both_parts_thirty_percent_are_the_test_set(tmp_path: Path, split: list[str] | None) -> None:
    (tmp_path / "t.csv").write_text(table(split))
    data = load_dataset("t.csv", label="kind")
    assert (len(data.y), len(data.test_y)) == (70, 30)
    assert class_counts(data.test_y) == [10, 10, 10]
    assert sorted(data.x[:, 0].tolist() + data.test_x[:, 0].tolist()) == list(range(100))


def test_arrays_are_split_in_the_same_way(folder: Path) -> None:
    x, y = np.arange(40.0)[:, None], np.arange(40) % 2
    np.savez(
        folder / "whole.npz", X=x, y=y, split=np.array(["train", "test", "test", "x"])[np.arange(40) % 4]
    )
    np.savez(folder / "parts.npz", x_train=x[:30], y_train=y[:30], x_test=x[30:], y_test=y[30:])
    np.savez(folder / "plain.npz", X=x, y=y, split=["train"] * 40)
    whole, parts, plain = (load_dataset(name) for name in ("whole", "parts", "plain"))
    assert whole.x[:, 0].tolist() == list(range(0, 40, 4))
    assert whole.test_x[:, 0].tolist() == [i for i in range(40) if i % 4 in (1, 2)]
    assert parts.x[:, 0].tolist() == list(range(30))
    assert parts.test_y.tolist() == y[30:].tolist()
    assert (len(plain.y), len(plain.test_y)) == (28, 12)


def test_both_parts_of_a_source_are_read_at_once(folder: Path) -> None:
    x, y = np.arange(6.0)[:, None], list("ababab")
    np.savez(folder / "t.npz", x_train=x[:4], y_train=y[:4], x_test=x[4:], y_test=y[4:])
    source = read_source(folder / "t.npz", part="both")
    assert source.x[:, 0].tolist() == [0, 1, 2, 3, 4, 5]
    assert source.labels == y
    assert source.split == ["train"] * 4 + ["test"] * 2
    assert source.ids[3:] == ["train/3", "test/0", "test/1"]
    np.savez(folder / "t.npz", x_train=x[:4], y_train=y[:4])
    assert read_source(folder / "t.npz", part="both").split == ["train"] * 4
    np.savez(folder / "t.npz", X=x, y=y)
    assert read_source(folder / "t.npz", part="both").split is None
    np.savez(folder / "t.npz", x_train=x[:4], y_train=y[:4], x_test=x[4:].repeat(2, axis=1), y_test=y[4:])
    with pytest.raises(ValueError, match="rows of shapes"):
        read_source(folder / "t.npz", part="both")


def test_a_split_column_is_read_only_where_it_is_asked_for_and_free(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("split,a,y\n train,1,u\ntest,2,v\n,3,v\n")
    assert read_source(tmp_path / "t.csv", label="y", part="both").split == ["train", "test", ""]
    assert read_source(tmp_path / "t.csv", label="y").split is None
    assert read_source(tmp_path / "t.csv", label="split", part="both").split is None


def test_rows_without_a_label_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(table(None).replace("1,v\n", "1,\n"))
    data = load_dataset("t.csv", label="kind")
    assert len(data.y) + len(data.test_y) < 100
    assert "rows are not used: no label" in data.notes[0]
    (tmp_path / "t.csv").write_text("a,kind\n1,\n2,\n")
    with pytest.raises(ValueError, match="a bench needs labeled training and test rows"):
        load_dataset("t.csv", label="kind")


def test_a_file_under_the_data_folder_has_the_name_of_its_path_without_the_ending(folder: Path) -> None:
    (folder / "emb").mkdir()
    np.savez(folder / "emb" / "news.npz", X=np.zeros((20, 2)), y=np.arange(20) % 2)
    with gzip.open(folder / "t.csv.gz", "wt") as file:
        file.write(table(None))
    assert load_dataset("emb/news").name == "emb/news"
    assert len(load_dataset("t", label="kind").y) == 70
    assert list(dataset_names())[:3] == ["emb/news", "t", "digits"]


def test_an_unknown_data_set_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        ValueError, match="no data set or file 'digit'; use a path to a file, or one of digits, cifar10"
    ):
        load_dataset("digit")
    with pytest.raises(ValueError, match="digits has no columns"):
        load_dataset("digits", label="y")


def text_table(folder: Path, name: str, header: str = "split,text,label,source") -> None:
    rows = [f'{("train", "test")[i % 5 == 4]},"It is news, number {i}",{i % 4},web' for i in range(160)]
    (folder / name).write_bytes(gzip.compress("\n".join([header, *rows]).encode()))


def test_a_table_under_the_data_folder_is_read_by_the_names_of_its_columns(folder: Path) -> None:
    text_table(folder, "ag_news.csv.gz")
    data = load_dataset("ag_news")
    assert (data.name, data.kind, len(data.x), len(data.test_x)) == ("ag_news", "text", 128, 32)
    assert data.x[4] == "It is news, number 5"
    named = load_dataset("ag-news")
    assert named.fingerprint() == data.fingerprint()
    assert named.notes[-1] == f"ag-news is read from {folder / 'ag_news.csv.gz'}"
    assert len(load_dataset("ag_news", rows=60).x) == 60
    assert "ag_news" in dataset_names()


def test_other_columns_have_to_be_named(folder: Path) -> None:
    text_table(folder, "mine.csv.gz", "split,said,kind,source")
    with pytest.raises(ValueError, match="name the label column"):
        load_dataset("mine")
    with pytest.raises(ValueError, match="name it with --text said"):
        load_dataset("mine", label="kind")
    assert load_dataset("mine", label="kind", text="said").x[0] == "It is news, number 0"


def test_the_fingerprint_of_texts_is_that_of_their_characters_and_places(folder: Path) -> None:
    seen = set()
    for texts in (["ab", "c", "d"], ["a", "bc", "d"], ["c", "ab", "d"], ["ab", "c", "é"], ["ab", "c", ""]):
        rows = [f'{split},"{text}",{i % 2}' for i, text in enumerate(texts) for split in ("train", "test")]
        (folder / "t.csv").write_text("\n".join(["split,text,label", *rows]), encoding="utf-8")
        first, again = load_dataset("t").fingerprint(), load_dataset("t").fingerprint()
        assert first == again
        seen.add(first)
    assert len(seen) == 5
