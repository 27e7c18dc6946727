"""Cells are made from a seed with exact counts, share what they can, and test on known classes only."""

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from credprop.bench import (
    Cell,
    class_counts,
    class_order,
    draw_cell,
    export_cell,
    scenarios,
)
from credprop.data import read_source


def shuffled(counts: list[int], seed: int = 0) -> NDArray[np.int64]:
    return np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))


def cells(counts: list[int], seed: int = 0) -> dict[str, Cell]:
    """Every cell of a data set whose rows are their own numbers."""
    y, test_y = shuffled(counts), shuffled([5] * len(counts))
    x, test_x = np.arange(len(y))[:, None], np.arange(len(test_y))[:, None]
    return {s.cell: draw_cell(x, y, test_x, test_y, s, seed) for s in scenarios(class_counts(y))}


def labeled(cell: Cell) -> dict[int, int]:
    """The given labels, by row of the original data."""
    return {int(r): int(c) for r, c in zip(cell.rows, cell.labels, strict=True) if c >= 0}


def unlabeled(cell: Cell) -> set[int]:
    return set(cell.rows[cell.labels < 0].tolist())


@pytest.mark.parametrize("counts", [[5000] * 10, [500] * 100], ids=["CIFAR-10", "CIFAR-100"])
def test_counts_are_exactly_those_of_the_scenario(counts: list[int]) -> None:
    y = shuffled(counts)
    for cell in cells(counts).values():
        scenario, k = cell.scenario, cell.k
        given, true = cell.labels >= 0, y[cell.rows]
        assert len(set(cell.rows.tolist())) == len(cell.rows) == len(cell.labels) == len(cell.truth)
        assert np.bincount(true[given], minlength=len(counts)).tolist() == list(scenario.labels)
        assert np.bincount(true[~given], minlength=len(counts)).tolist() == list(scenario.unlabeled)
        assert int((cell.labels != true)[given].sum()) == scenario.wrong
        assert (cell.truth == np.where(true < k, true, -1)).all()
        assert cell.labels.max() < k


@pytest.mark.parametrize(
    "counts",
    [[30, 50], [40] * 3, [300, 20, 10, 100, 60], [25] * 7, [45] * 14, [2] * 8, [125] * 10],
    ids=["2", "3", "5 of many sizes", "7", "14", "8 tiny", "digits"],
)
def test_small_data_sets_have_exact_counts_too(counts: list[int]) -> None:
    test_counts_are_exactly_those_of_the_scenario(counts)


def test_cells_of_a_seed_are_nested() -> None:
    made = cells([500] * 10)
    base = made["base"]
    for i, j in itertools.pairwise((1, 2, 3)):
        few, fewer = made[f"few-label-{i}"], made[f"few-label-{j}"]
        assert labeled(fewer).items() < labeled(few).items() < labeled(base).items()
        assert set(few.rows) == set(base.rows)
        small, large = made[f"open-set-{i}"], made[f"open-set-{j}"]
        assert unlabeled(base) < unlabeled(small) < unlabeled(large)
        thin, thinner = made[f"imbalanced-unlabeled-{i}"], made[f"imbalanced-unlabeled-{j}"]
        assert unlabeled(thinner) < unlabeled(thin) < unlabeled(base)
        less, least = made[f"imbalanced-labeled-{i}"], made[f"imbalanced-labeled-{j}"]
        assert labeled(least).items() < labeled(less).items() < labeled(base).items()
        assert unlabeled(least) == unlabeled(less) == unlabeled(base)
    for name in ("open-set-3", "imbalanced-unlabeled-3"):
        assert labeled(made[name]) == labeled(base)


def test_more_noise_keeps_the_wrong_labels_there_were() -> None:
    made = cells([500] * 10)
    base = labeled(made["base"])
    wrong = [{r: c for r, c in labeled(made[f"noisy-label-{i}"]).items() if c != base[r]} for i in (1, 2, 3)]
    assert [len(w) for w in wrong] == [32, 64, 96]
    assert wrong[0].items() < wrong[1].items() < wrong[2].items()


def test_wrong_labels_are_drawn_evenly_from_the_other_known_classes() -> None:
    cell = cells([20_000] * 10)["noisy-label-3"]  # 6400 labels
    moves = np.zeros((4, 4), int)
    given = cell.labels >= 0
    np.add.at(moves, (cell.truth[given], cell.labels[given]), 1)
    assert np.trace(moves) == 2560
    other = moves[~np.eye(4, dtype=bool)]
    assert abs(other - 320).max() < 4 * np.sqrt(320)


def test_the_test_set_holds_known_classes_only_and_all_of_them() -> None:
    test_y = shuffled([5] * 10)
    for cell in cells([125] * 10).values():
        assert cell.test_rows.tolist() == np.flatnonzero(test_y < 4).tolist()
        assert cell.test_truth.tolist() == test_y[test_y < 4].tolist()


def test_the_same_seed_gives_the_same_cell_and_another_one_another() -> None:
    for name, cell in cells([125] * 10, seed=1).items():
        same, other = cells([125] * 10, seed=1)[name], cells([125] * 10, seed=2)[name]
        assert cell.rows.tolist() == same.rows.tolist()
        assert cell.labels.tolist() == same.labels.tolist()
        assert labeled(cell) != labeled(other)


@pytest.mark.parametrize(
    ("y", "order"),
    [
        (["10", "9", "-1"], ["-1", "9", "10"]),
        (["10", "9", "x"], ["10", "9", "x"]),
        ([10, 9, -1], [-1, 9, 10]),
        ([1.5, 0.5], [0.5, 1.5]),
        ([True, False], [False, True]),
        (["10", "010", "9"], ["9", "010", "10"]),
    ],
)
def test_classes_are_ordered_by_value_and_integers_by_number(y: list[Any], order: list[Any]) -> None:
    assert class_order(np.array(y)) == order


def test_labels_of_any_kind_become_codes_with_their_names() -> None:
    y = np.repeat(["10", "9", "2"], 50)
    cell = draw_cell(np.zeros((150, 1)), y, np.zeros((4, 1)), np.array(["2", "10", "7", "9"]), _base(y), 0)
    assert cell.class_names == ("2", "9", "10")
    assert cell.truth[[0, 50, 100]].tolist() == [2, 1, 0]
    assert cell.test_rows.tolist() == [0, 1, 3]  # 7 is not a training class
    assert cell.test_truth.tolist() == [0, 2, 1]


def _base(y: NDArray[Any]) -> Any:
    return scenarios(class_counts(y))[0]


def test_a_scenario_of_other_data_is_refused() -> None:
    y = shuffled([50] * 3)
    with pytest.raises(ValueError, match="for 3 classes, the data has 4"):
        draw_cell(np.zeros((120, 1)), shuffled([30] * 4), np.zeros((0, 1)), y[:0], _base(y), 0)
    with pytest.raises(ValueError, match="needs 50 rows of a class that has 40"):
        draw_cell(np.zeros((120, 1)), shuffled([40] * 3), np.zeros((0, 1)), y[:0], _base(y), 0)


def test_what_a_method_learns_from_is_the_cell() -> None:
    cell = cells([125] * 10)["open-set-2"]
    data = cell.data()
    assert data.k == 4
    assert data.x[:, 0].tolist() == cell.rows.tolist()
    assert data.labels.tolist() == cell.labels.tolist()
    assert data.truth is not None
    assert data.truth.tolist() == cell.truth.tolist()


_READER = """
import json, sys, numpy as np
z = np.load(sys.argv[1], allow_pickle=False)
y, true = z["y"], z["y_true"]
print(json.dumps({
    "arrays": sorted(z.files),
    "shapes": [list(z[name].shape) for name in ("X", "X_test", "y_test")],
    "labels": np.bincount(y[y >= 0]).tolist(), "unlabeled": int((y < 0).sum()),
    "outliers": int((true < 0).sum()), "wrong": int((y != true)[y >= 0].sum()),
    "test": sorted(set(z["y_test"].tolist())), "names": z["class_names"].tolist(),
    "scenario": json.loads(str(z["about"]))["name"], "loaded": "credprop" in sys.modules,
}))
"""


def test_an_exported_cell_is_read_with_only_numpy(tmp_path: Path) -> None:
    made = cells([125] * 10, seed=3)
    for name, unknown in (("open-set-1", 250), ("noisy-label-2", 0)):
        export_cell(made[name], tmp_path / "cell.npz")
        said = subprocess.run(
            [sys.executable, "-c", _READER, tmp_path / "cell.npz"], capture_output=True, check=True, text=True
        )
        found = json.loads(said.stdout)
        wrong = 32 if name == "noisy-label-2" else 0
        labels = np.bincount(made[name].labels[made[name].labels >= 0]).tolist()
        assert sum(labels) == 80
        assert found == {
            "arrays": ["X", "X_test", "about", "class_names", "y", "y_test", "y_true"],
            "shapes": [[500 + unknown, 1], [20, 1], [20]],
            "labels": labels,
            "unlabeled": 420 + unknown,
            "outliers": unknown,
            "wrong": wrong,
            "test": [0, 1, 2, 3],
            "names": ["0", "1", "2", "3"],
            "scenario": name[:-2],
            "loaded": False,
        }


def test_an_exported_cell_can_be_learned_from(tmp_path: Path) -> None:
    cell = cells([125] * 10)["few-label-2"]
    export_cell(cell, tmp_path / "cell.npz")
    source = read_source(tmp_path / "cell.npz")
    assert source.labels is not None
    assert sum(label is not None for label in source.labels) == 16


def test_cells_of_texts_are_exported_without_pickle_unless_a_text_is_too_long(tmp_path: Path) -> None:
    y = np.arange(160) % 4
    x = np.array([f"It is news, number {i}" for i in range(160)], dtype=object)
    cell = draw_cell(x, y, x[:32], y[:32], scenarios(class_counts(y))[0], 0)
    export_cell(cell, tmp_path / "cell.npz")
    with np.load(tmp_path / "cell.npz", allow_pickle=False) as saved:
        assert saved["X"].tolist() == x[cell.rows].tolist()
        assert saved["X_test"].tolist() == x[cell.test_rows].tolist()
    with pytest.raises(ValueError, match=r"too many for an \.npz file"):
        export_cell(cell, tmp_path / "other.npz", max_text_bytes=1_000)
    assert not (tmp_path / "other.npz").exists()
