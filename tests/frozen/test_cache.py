"""What was encoded once is not encoded again, unless it was lost or damaged."""

import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch import nn

from credprop.frozen import Frozen, choose_frozen, encode_once
from credprop.frozen.protocol import Kind, OnProgress, Vectors, no_progress

_NPY = b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (0,), }".ljust(127) + b"\n"


class Letters:
    """An encoder that counts letters, and stores what it encoded."""

    kind: Kind = "text"

    def __init__(self, name: str = "letters", identity: str = "1") -> None:
        self.name, self.identity = name, identity
        self.asked: list[str] = []

    def encode(self, rows: Any, on_progress: OnProgress = no_progress) -> Vectors:
        self.asked += rows
        on_progress(len(rows), len(rows))
        return np.array([[row.count("a"), len(row)] for row in rows], np.float32).reshape(-1, 2)


@pytest.fixture
def frozen() -> Letters:
    return Letters()


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.npz"))


def test_only_new_rows_are_encoded_and_equal_ones_once(frozen: Letters, tmp_path: Path) -> None:
    first = encode_once(frozen, ["aa", "b", "aa"], tmp_path)
    assert first.tolist() == [[2, 2], [0, 1], [2, 2]]
    assert first.dtype == np.float32
    assert sorted(frozen.asked) == ["aa", "b"]
    again = Letters()
    assert encode_once(again, ["b", "aa", "aa"], tmp_path).tolist() == [[0, 1], [2, 2], [2, 2]]
    assert again.asked == []
    assert encode_once(again, ["b", "abc", "aa"], tmp_path).tolist() == [[0, 1], [1, 3], [2, 2]]
    assert again.asked == ["abc"]


def test_progress_counts_what_was_known(frozen: Letters, tmp_path: Path) -> None:
    encode_once(frozen, ["a", "b"], tmp_path)
    told: list[tuple[int, int]] = []
    encode_once(frozen, ["a", "b", "c"], tmp_path, lambda done, total: told.append((done, total)))
    assert told == [(2, 3), (3, 3)]


@pytest.mark.parametrize("other", [Letters(name="other"), Letters(identity="2")])
def test_another_name_or_other_weights_are_another_encoder(
    frozen: Letters, other: Letters, tmp_path: Path
) -> None:
    encode_once(frozen, ["a"], tmp_path)
    encode_once(other, ["a"], tmp_path)
    assert other.asked == ["a"]


def test_a_damaged_file_is_encoded_again(frozen: Letters, tmp_path: Path) -> None:
    encode_once(frozen, ["a", "bb"], tmp_path)
    (file,) = files(tmp_path)
    content = file.read_bytes()
    flipped = content.replace(np.float32(2).tobytes(), np.float32(3).tobytes())
    assert flipped != content
    for damaged in (b"", content[:-40], content[: len(content) // 2], b"PK" + content[9:], _NPY, flipped):
        file.write_bytes(damaged)
        again = Letters()
        assert encode_once(again, ["a", "bb"], tmp_path).tolist() == [[1, 1], [0, 2]]
        assert sorted(again.asked) == ["a", "bb"]
        for new in set(files(tmp_path)) - {file}:
            new.unlink()


def test_a_file_that_would_have_to_be_unpickled_is_not_read(frozen: Letters, tmp_path: Path) -> None:
    encode_once(frozen, ["a"], tmp_path)
    (file,) = files(tmp_path)
    with np.load(file) as kept:
        keys = kept["keys"]
    np.savez(file, keys=keys, vectors=np.array([[1.0, None]], dtype=object))
    assert encode_once(frozen, ["a"], tmp_path).tolist() == [[1, 1]]
    assert frozen.asked == ["a", "a"]


def test_what_was_encoded_before_a_failure_is_kept(tmp_path: Path) -> None:
    class Failing(Letters):
        def encode(self, rows: Any, on_progress: OnProgress = no_progress) -> Vectors:
            if self.asked:
                raise KeyboardInterrupt
            return super().encode(rows, on_progress)

    rows = [f"{n}" for n in range(10_000)]
    failing, again = Failing(), Letters()
    with pytest.raises(KeyboardInterrupt):
        encode_once(failing, rows, tmp_path)
    assert 0 < len(failing.asked) < len(rows)
    assert encode_once(again, rows, tmp_path).tolist() == [[0, len(row)] for row in rows]
    assert again.asked == rows[len(failing.asked) :]
    assert not list(tmp_path.rglob("*.partial"))


def test_one_row_at_a_time_leaves_few_files(frozen: Letters, tmp_path: Path) -> None:
    rows = ["a" * n for n in range(100)]
    for row in rows:
        encode_once(frozen, [row], tmp_path)
        assert len(files(tmp_path)) <= 16
    again = Letters()
    assert encode_once(again, rows, tmp_path).tolist() == [[n, n] for n in range(100)]
    assert again.asked == []


def test_large_files_are_not_written_again(tmp_path: Path) -> None:
    class Wide(Letters):
        def encode(self, rows: Any, on_progress: OnProgress = no_progress) -> Vectors:
            return np.repeat(super().encode(rows, on_progress), 6000, axis=1)

    frozen = Wide()
    encode_once(frozen, ["b" * n for n in range(100)], tmp_path)
    (large,) = files(tmp_path)
    assert large.stat().st_size > 1 << 22
    for n in range(17):
        encode_once(frozen, ["a" * (n + 1)], tmp_path)
    assert large in files(tmp_path)
    assert len(files(tmp_path)) == 2


def test_damaged_files_do_not_stay_among_many(frozen: Letters, tmp_path: Path) -> None:
    for n in range(17):
        if n == 16:
            files(tmp_path)[0].write_bytes(b"damaged")
        encode_once(frozen, ["a" * n], tmp_path)
    assert len(files(tmp_path)) == 1
    again = Letters()
    assert encode_once(again, ["a" * n for n in range(17)], tmp_path).tolist() == [[n, n] for n in range(17)]
    assert len(again.asked) == 1


def test_images_of_several_sizes_are_kept_together_and_apart(tmp_path: Path) -> None:
    frozen: Frozen = choose_frozen(nn.Flatten())
    rows = [np.full((1, size, size, 3), n, np.uint8) for n in range(10) for size in (2, 3)]
    for row in rows:
        encode_once(frozen, row, tmp_path)
    assert len(files(tmp_path)) <= 16
    assert all((encode_once(frozen, row, tmp_path) == frozen.encode(row)).all() for row in rows)


def test_where_nothing_can_be_written_the_vectors_still_come(
    frozen: Letters, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    with caplog.at_level(logging.WARNING):
        assert encode_once(frozen, ["a"], tmp_path / "file").tolist() == [[1, 1]]
    assert "CREDPROP_CACHE" in caplog.text


def test_no_rows_are_no_vectors(frozen: Letters, tmp_path: Path) -> None:
    assert encode_once(frozen, [], tmp_path).shape == (0, 2)


def test_vectors_are_kept_in_the_cache_folder(
    frozen: Letters, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CREDPROP_CACHE", str(tmp_path))
    encode_once(frozen, ["a"])
    assert len(files(tmp_path / "frozen")) == 1


def test_images_are_told_apart_by_content_shape_and_type(tmp_path: Path) -> None:
    frozen: Frozen = choose_frozen(nn.Flatten())
    rows = np.random.default_rng(0).integers(0, 256, (4, 2, 6, 3), dtype=np.uint8)
    wide, tall = rows, rows.reshape(4, 6, 2, 3)
    for x in (wide, tall, wide / 255, wide[::-1]):
        assert (encode_once(frozen, x, tmp_path) == frozen.encode(x)).all()
    assert len(files(tmp_path)) == 3  # turned around they are the same rows


def test_vectors_that_are_kept_need_no_library_of_the_encoder(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from credprop.frozen import choose_frozen, encode_once\n"
        f"print(encode_once(choose_frozen('sentence'), ['a', 'b'], Path({str(tmp_path)!r})).shape)\n"
        "print(*({'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    encode_once(choose_frozen("sentence"), ["a", "b"], tmp_path)
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.split("\n")[:2] == ["(2, 384)", ""]
    assert said.stderr == ""
