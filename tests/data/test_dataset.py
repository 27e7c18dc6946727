"""Rows by index from any container, and the checks where data enters."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.utils.data import Dataset

from credprop.data import PartlyLabeled, read_rows
from credprop.data.dataset import Rows

INDEX = torch.tensor([4, 0, 2])


def partly_labeled(x: Rows) -> PartlyLabeled:
    return PartlyLabeled(x=x, labels=torch.tensor([0, 1, -1, -1, -1]), k=2)


class Pairs(Dataset[tuple[Tensor, int]]):
    """A custom data set of (sample, label)."""

    def __getitem__(self, index: int) -> tuple[Tensor, int]:
        return torch.full((3,), float(index)), 7

    def __len__(self) -> int:
        return 5


def test_arrays_tensors_memory_maps_and_data_sets_give_the_same_rows(tmp_path: Path) -> None:
    x = np.arange(5.0)[:, None].repeat(3, axis=1)
    np.save(tmp_path / "x.npy", x)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    expected = [[4.0] * 3, [0.0] * 3, [2.0] * 3]
    for source in (x, torch.tensor(x), mapped, Pairs()):
        rows = read_rows(source, INDEX)
        assert rows.dtype == torch.float32
        assert rows.tolist() == expected


def test_bytes_become_fractions_and_channels_come_first() -> None:
    x = np.zeros((5, 8, 6, 3), dtype=np.uint8)
    x[4, 1, 2, 0] = 255
    rows = read_rows(x, INDEX)
    assert rows.shape == (3, 3, 8, 6)
    assert rows[0, 0, 1, 2] == 1
    assert read_rows(x.transpose(0, 3, 1, 2), INDEX).shape == (3, 3, 8, 6)


def test_scale_of_the_features_is_found_in_chunks_and_a_constant_feature_has_scale_one() -> None:
    x = np.random.default_rng(0).normal(3, 2, size=(9000, 4)).astype(np.float32)
    x[:, 2] = 1000.1
    data = PartlyLabeled(x=x, labels=torch.full((9000,), -1), k=2)
    mean, scale = data.mean_and_scale()
    np.testing.assert_allclose(mean, x.mean(axis=0, dtype=np.float64), rtol=1e-5)
    np.testing.assert_allclose(scale[[0, 1, 3]], x.std(axis=0, dtype=np.float64)[[0, 1, 3]], rtol=1e-4)
    assert scale[2] == 1


def test_given_labels_are_found() -> None:
    assert partly_labeled(np.zeros((5, 2))).given.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("labels", "k", "message"),
    [
        (torch.tensor([0, 1]), 2, "labels has 2 rows, x has 5"),
        (torch.tensor([0, 1, 2, -1, -1]), 2, r"labels must lie in 0..1"),
        (torch.tensor([0, 1, -2, -1, -1]), 2, r"labels must lie in 0..1"),
        (torch.tensor([0, 0, -1, -1, -1]), 1, "must be at least 2"),
    ],
)
def test_labels_that_do_not_fit_are_refused(labels: Tensor, k: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PartlyLabeled(x=np.zeros((5, 2)), labels=labels, k=k)


def test_images_out_of_range_and_guesses_of_the_wrong_width_are_refused() -> None:
    labels = torch.full((5,), -1)
    for x in (np.full((5, 3, 4, 4), 200.0), np.full((5, 3, 4, 4), -1.0)):
        with pytest.raises(ValueError, match=r"give bytes, or floats in \[0, 1\]"):
            PartlyLabeled(x=x, labels=labels, k=2)
    with pytest.raises(ValueError, match="guesses have 3 columns; give one for each of 2 classes"):
        PartlyLabeled(x=np.zeros((5, 2)), labels=labels, k=2, guesses=torch.zeros(5, 3))
    with pytest.raises(ValueError, match="x is empty"):
        PartlyLabeled(x=np.zeros((0, 2)), labels=torch.zeros(0, dtype=torch.long), k=2)


def test_a_row_with_nan_is_named() -> None:
    x = np.zeros((5, 2), dtype=np.float32)
    x[3, 1] = np.nan
    with pytest.raises(ValueError, match="row 3 of x holds NaN or infinity"):
        partly_labeled(x).mean_and_scale()


def test_small_features_are_scaled_too() -> None:
    x = np.random.default_rng(0).normal(size=(5, 2)) * 1e-7
    _, scale = partly_labeled(x).mean_and_scale()
    np.testing.assert_allclose(scale, x.std(axis=0), rtol=1e-4)


def test_principal_components_keep_their_proportions_and_other_features_do_not() -> None:
    rng = np.random.default_rng(0)
    falling = np.geomspace(30, 1, 20)
    x = rng.normal(size=(500, 20)) * falling
    labels = torch.full((500,), -1)
    _, scale = PartlyLabeled(x=x, labels=labels, k=2).mean_and_scale()
    np.testing.assert_allclose(scale, np.sqrt(x.var(axis=0).mean()), rtol=1e-5)
    for other in (x[:, rng.permutation(20)], x[:, :15], x[:, ::-1].copy()):
        _, scale = PartlyLabeled(x=other, labels=labels, k=2).mean_and_scale()
        np.testing.assert_allclose(scale, other.std(axis=0), rtol=1e-5)
