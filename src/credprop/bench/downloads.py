"""Official image data sets: find or download the files, verify checksums, and read them without pickle."""

import gzip
import hashlib
import http.client
import os
import tarfile
import urllib.request
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from credprop.files import cache_folder, write_whole

Arrays = tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]
# Errors raised when reading a damaged or different file.
DAMAGED = (tarfile.TarError, KeyError, EOFError, OSError, zlib.error, ValueError)


@dataclass(frozen=True)
class File:
    """A file of an official data set: its URL, published checksum and name."""

    url: str
    checksum: str  # SHA-256 or MD5, told apart by length
    called: str = ""  # if the URL does not end in the name

    @property
    def name(self) -> str:
        """Its path in a data folder."""
        return self.called or self.url.rsplit("/", 1)[1]

    def is_right(self, content: bytes) -> bool:
        """Whether the content has the expected checksum."""
        algorithm = "sha256" if len(self.checksum) == 64 else "md5"
        return hashlib.new(algorithm, content, usedforsecurity=False).hexdigest() == self.checksum


_TORONTO, _LECUN = "https://www.cs.toronto.edu/~kriz", "https://ossci-datasets.s3.amazonaws.com/mnist"
CIFAR10 = File(f"{_TORONTO}/cifar-10-binary.tar.gz", "c32a1d4ab5d03f1284b67883e8d87530")
CIFAR100 = File(f"{_TORONTO}/cifar-100-binary.tar.gz", "03b5dce01913d631647c71ecec9e9cb8")
MNIST = (
    File(f"{_LECUN}/train-images-idx3-ubyte.gz", "f68b3c2dcbeaaa9fbdd348bbdeb94873"),
    File(f"{_LECUN}/train-labels-idx1-ubyte.gz", "d53e105ee54ea40749a09fcbcd1e9432"),
    File(f"{_LECUN}/t10k-images-idx3-ubyte.gz", "9fb629c4189551a2d022fa330f9573f3"),
    File(f"{_LECUN}/t10k-labels-idx1-ubyte.gz", "ec29112dd5afa0611ce80d1b7f02629c"),
)


def obtain(file: File) -> Path:
    """The file under CREDPROP_DATA or in the cache folder; downloaded to the cache if it is in neither."""
    folder = os.environ.get("CREDPROP_DATA")
    places = [*([Path(folder)] if folder else []), cache_folder()]
    for place in places:
        if (place / file.name).is_file():
            return place / file.name
    try:
        with urllib.request.urlopen(file.url, timeout=60) as answer:
            content: bytes = answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise ValueError(_by_hand(file, f"could not be downloaded ({error})", places)) from error
    if not file.is_right(content):
        raise ValueError(
            _by_hand(file, f"was downloaded with a wrong checksum (expected {file.checksum})", places)
        )
    path = cache_folder() / file.name
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)
    return path


def read_cifar10(path: Path) -> Arrays:
    """Images (n, h, w, c) and classes of training and test set, from the archive of the binary version."""
    names = [f"cifar-10-batches-bin/data_batch_{i}.bin" for i in range(1, 6)]
    return _read_cifar(path, names, ["cifar-10-batches-bin/test_batch.bin"], labels=1)


def read_cifar100(path: Path) -> Arrays:
    """Images (n, h, w, c) and fine classes of training and test set, from the binary archive."""
    return _read_cifar(path, ["cifar-100-binary/train.bin"], ["cifar-100-binary/test.bin"], labels=2)


def read_mnist(paths: Sequence[Path]) -> Arrays:
    """Images (n, h, w, 1) and classes of the training and test set, from the four files of MNIST."""
    x, y, test_x, test_y = (_read_idx(path) for path in paths)
    for path, images, labels in ((paths[0], x, y), (paths[2], test_x, test_y)):
        if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels):
            raise damaged(path, f"images {images.shape} and labels {labels.shape} do not match")
    return x[..., None], y.astype(np.int64), test_x[..., None], test_y.astype(np.int64)


def _read_cifar(path: Path, train: Sequence[str], test: Sequence[str], labels: int) -> Arrays:
    """Records of `labels` bytes, the last of which is the class, then the 3 x 32 x 32 bytes of an image."""
    found: list[NDArray[Any]] = []
    try:
        with tarfile.open(path, "r:gz") as archive:
            for members in (train, test):
                parts = [archive.extractfile(name) for name in members]
                content = b"".join(part.read() for part in parts if part is not None)
                records = np.frombuffer(content, np.uint8).reshape(-1, labels + 3072)
                found += [records[:, labels:].reshape(-1, 3, 32, 32), records[:, labels - 1]]
    except DAMAGED as error:
        raise damaged(path, str(error)) from error
    x, y, test_x, test_y = found
    first, second = (np.ascontiguousarray(images.transpose(0, 2, 3, 1)) for images in (x, test_x))
    return first, y.astype(np.int64), second, test_y.astype(np.int64)


def _read_idx(path: Path) -> NDArray[np.uint8]:
    """Read an IDX file: two zero bytes, the type 8, the number of axes, their lengths, then the values."""
    try:
        with gzip.open(path) as file:
            content = file.read()
        if content[:3] != b"\x00\x00\x08":
            raise ValueError("not an IDX file of bytes")
        axes = content[3]
        shape = np.frombuffer(content, ">u4", axes, offset=4)
        return np.frombuffer(content, np.uint8, offset=4 + 4 * axes).reshape(shape.tolist())
    except DAMAGED as error:
        raise damaged(path, str(error)) from error


def damaged(path: Path, what: str) -> ValueError:
    """The error for a file that cannot be read."""
    return ValueError(f"{path}: damaged or not the expected file ({what}); delete it to download it again")


def _by_hand(file: File, what: str, places: Sequence[Path]) -> str:
    paths = " or ".join(str(place / file.name) for place in places)
    return f"{file.name} {what}; download {file.url} and save it as {paths}"
