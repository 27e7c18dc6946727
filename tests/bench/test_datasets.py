"""Data sets by name and from files: which rows train, which test, and what is said when something lacks."""

import gzip
import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from bench.archives import tar
from credprop.bench import class_counts, dataset_names, downloads, load_dataset
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


def pictures(n: int, seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (n, 3, 32, 32), dtype=np.uint8)


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
    with pytest.raises(ValueError, match="leave classes without any"):
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
    assert data.notes == ("25 rows without a label, or of neither train nor test, are left out",)


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
    with pytest.raises(ValueError, match="rows of the shapes"):
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
    assert "without a label" in data.notes[0]
    (tmp_path / "t.csv").write_text("a,kind\n1,\n2,\n")
    with pytest.raises(ValueError, match="a bench needs labeled rows"):
        load_dataset("t.csv", label="kind")


def test_a_file_under_the_data_folder_has_the_name_of_its_path_without_the_ending(folder: Path) -> None:
    (folder / "emb").mkdir()
    np.savez(folder / "emb" / "news.npz", X=np.zeros((20, 2)), y=np.arange(20) % 2)
    with gzip.open(folder / "t.csv.gz", "wt") as file:
        file.write(table(None))
    assert load_dataset("emb/news").name == "emb/news"
    assert len(load_dataset("t", label="kind").y) == 70
    assert list(dataset_names())[:3] == ["emb/news", "t", "digits"]


def test_what_is_not_there_is_refused_with_what_is() -> None:
    with pytest.raises(ValueError, match="no file or data set 'digit'; there are digits, cifar10"):
        load_dataset("digit")
    with pytest.raises(ValueError, match="digits has no columns"):
        load_dataset("digits", label="y")


def test_cifar_10_is_read_from_its_binary_archive(folder: Path) -> None:
    x, test_x = pictures(10, 0), pictures(4, 1)
    y = np.arange(10, dtype=np.uint8)
    records = np.concatenate([y[:, None], x.reshape(10, -1)], axis=1)
    test = np.concatenate([y[3:7, None], test_x.reshape(4, -1)], axis=1).tobytes()
    batches = {
        f"cifar-10-batches-bin/data_batch_{i}.bin": records[2 * i - 2 : 2 * i].tobytes() for i in range(1, 6)
    }
    tar(folder / "cifar-10-binary.tar.gz", batches | {"cifar-10-batches-bin/test_batch.bin": test})
    data = load_dataset("cifar10")
    assert (data.kind, data.x.shape, data.test_x.shape) == ("images", (10, 32, 32, 3), (4, 32, 32, 3))
    assert (data.x == x.transpose(0, 2, 3, 1)).all()
    assert (data.test_x == test_x.transpose(0, 2, 3, 1)).all()
    assert data.y.tolist() == list(range(10))
    assert data.test_y.tolist() == [3, 4, 5, 6]


def test_cifar_100_has_fine_classes(folder: Path) -> None:
    x = pictures(3, 0)
    labels = np.array([[1, 90], [2, 80], [3, 70]], dtype=np.uint8)  # coarse, fine
    content = np.concatenate([labels, x.reshape(3, -1)], axis=1).tobytes()
    tar(
        folder / "cifar-100-binary.tar.gz",
        {"cifar-100-binary/train.bin": content, "cifar-100-binary/test.bin": content[: 2 * 3074]},
    )
    data = load_dataset("cifar100")
    assert data.y.tolist() == [90, 80, 70]
    assert data.test_y.tolist() == [90, 80]
    assert (data.x == x.transpose(0, 2, 3, 1)).all()


def idx(array: NDArray[np.uint8]) -> bytes:
    shape = b"".join(n.to_bytes(4, "big") for n in array.shape)
    return gzip.compress(bytes([0, 0, 8, array.ndim]) + shape + array.tobytes())


def test_mnist_is_read_from_its_idx_files(tmp_path: Path) -> None:
    cache = tmp_path / "cache" / "credprop"  # found there too
    cache.mkdir(parents=True)
    images = np.arange(3 * 4 * 5, dtype=np.uint8).reshape(3, 4, 5)
    labels = np.array([7, 0, 9], dtype=np.uint8)
    for part, n in (("train", 3), ("t10k", 2)):
        (cache / f"{part}-images-idx3-ubyte.gz").write_bytes(idx(images[:n]))
        (cache / f"{part}-labels-idx1-ubyte.gz").write_bytes(idx(labels[:n]))
    data = load_dataset("mnist")
    assert (data.x[..., 0] == images).all()
    assert data.test_x.shape == (2, 4, 5, 1)
    assert (data.y.tolist(), data.test_y.tolist()) == ([7, 0, 9], [7, 0])
    (cache / "t10k-labels-idx1-ubyte.gz").write_bytes(idx(labels))
    with pytest.raises(ValueError, match="do not match"):
        load_dataset("mnist")


@pytest.mark.parametrize("content", [b"", b"not an archive", gzip.compress(b"no tar", mtime=0)])
def test_a_damaged_archive_is_one_clear_line(folder: Path, content: bytes) -> None:
    (folder / "cifar-10-binary.tar.gz").write_bytes(content)
    for file in downloads.MNIST:
        (folder / file.name).write_bytes(content)
    for name in ("cifar10", "mnist"):
        with pytest.raises(ValueError, match=r"gz: is damaged or another file \(.*delete it") as said:
            load_dataset(name)
        assert "\n" not in str(said.value)
    tar(folder / "cifar-10-binary.tar.gz", {"other": b"x"})
    with pytest.raises(ValueError, match="damaged or another file"):
        load_dataset("cifar10")


def serve(monkeypatch: pytest.MonkeyPatch, answer: Any) -> list[str]:
    """Answer every request in place of the network; the addresses asked for come back."""
    asked: list[str] = []

    def urlopen(url: str, timeout: float) -> Any:
        asked.append(url)
        if isinstance(answer, Exception):
            raise answer
        return io.BytesIO(answer)

    monkeypatch.setattr("urllib.request.urlopen", urlopen)
    return asked


def test_without_a_network_the_error_says_which_file_to_put_where(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(monkeypatch, OSError("no network"))
    with pytest.raises(ValueError, match="no network") as said:
        load_dataset("cifar100")
    for word in (
        "cifar-100-binary.tar.gz",
        str(folder),
        str(tmp_path / "cache" / "credprop"),
        "https://www.cs",
    ):
        assert word in str(said.value)


def test_a_fetched_file_is_kept_if_its_checksum_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = serve(monkeypatch, b"content")
    file = downloads.File("https://example.org/a.gz", hashlib.md5(b"content").hexdigest())
    assert downloads.obtain(file) == downloads.obtain(file) == tmp_path / "cache" / "credprop" / "a.gz"
    assert asked == ["https://example.org/a.gz"]
    with pytest.raises(ValueError, match=r"b\.gz came with another checksum"):
        downloads.obtain(downloads.File("https://example.org/b.gz", file.checksum.replace("a", "b")))
    assert not (tmp_path / "cache" / "credprop" / "b.gz").exists()
