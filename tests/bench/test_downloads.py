"""Official image data sets are found, downloaded with a checksum, and read."""

import gzip
import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.archives import tar
from credprop.bench import downloads, load_dataset


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of data and an empty cache."""
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("CREDPROP_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def images(n: int, seed: int) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, 256, (n, 3, 32, 32), dtype=np.uint8)


def test_cifar_10_is_read_from_its_binary_archive(folder: Path) -> None:
    x, test_x = images(10, 0), images(4, 1)
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
    x = images(3, 0)
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
        with pytest.raises(ValueError, match=r"gz: damaged or not the expected file \(.*delete it") as said:
            load_dataset(name)
        assert "\n" not in str(said.value)
    tar(folder / "cifar-10-binary.tar.gz", {"other": b"x"})
    with pytest.raises(ValueError, match="damaged or not the expected file"):
        load_dataset("cifar10")


def serve(monkeypatch: pytest.MonkeyPatch, answer: Any) -> list[str]:
    """Answer every request in place of the network; return the list of requested addresses."""
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
    with pytest.raises(ValueError, match=r"b\.gz was downloaded with a wrong checksum"):
        downloads.obtain(downloads.File("https://example.org/b.gz", file.checksum.replace("a", "b")))
    assert not (tmp_path / "cache" / "credprop" / "b.gz").exists()


@pytest.mark.parametrize("algorithm", ["md5", "sha256"])
def test_a_fetched_file_is_kept_under_its_own_name_if_either_checksum_is_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, algorithm: str
) -> None:
    monkeypatch.setattr("urllib.request.urlopen", lambda url, timeout: io.BytesIO(b"content"))
    right = hashlib.new(algorithm, b"content").hexdigest()
    url = "https://example.org/get?id=1"
    path = downloads.obtain(downloads.File(url, right, "folder/a.csv"))
    assert path == tmp_path / "cache" / "credprop" / "folder" / "a.csv"
    assert path.read_bytes() == b"content"
    with pytest.raises(ValueError, match="a wrong checksum"):
        downloads.obtain(downloads.File(url, right[::-1], "b.csv"))
