"""Rows of token ids: read as whole numbers, and never mistaken for vectors."""

from typing import Any

import numpy as np
import pytest
import torch

from credprop.data import PartlyLabeled, Tokens, read_rows

IDS = np.array([[3, 1, 0], [2, 0, 0], [4, 4, 4], [0, 0, 0], [1, 2, 0]])


def test_rows_of_tokens_are_whole_numbers_and_integers_of_a_user_are_vectors() -> None:
    index = torch.tensor([2, 0])
    assert torch.equal(read_rows(Tokens(IDS, 5), index), torch.tensor([[4, 4, 4], [3, 1, 0]]))
    assert read_rows(Tokens(IDS, 5), index).dtype == torch.int64
    for vectors in (IDS, torch.from_numpy(IDS), torch.from_numpy(IDS).int()):
        assert read_rows(vectors, index).dtype == torch.float32


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (slice(1, 3), [1, 2]),
        ([4, 0], [4, 0]),
        (np.array([False, True, False, False, True]), [1, 4]),
        (torch.tensor([3, 3]), [3, 3]),
        (torch.arange(5) > 3, [4]),
        (2, [2]),
        (np.int64(-1), [4]),
        ([], []),
        (np.zeros(5, dtype=bool), []),
    ],
)
def test_any_index_gives_tokens(rows: Any, expected: list[int]) -> None:
    part = Tokens(IDS, 9)[rows]
    assert isinstance(part, Tokens)
    assert part.ids.tolist() == IDS[expected].tolist()
    assert part.vocabulary == 9
    assert (len(part), part.shape) == (len(expected), (len(expected), 3))
    assert part.ids.dtype == np.int32


@pytest.mark.parametrize(
    ("ids", "vocabulary", "message"),
    [
        (IDS, 4, "range from 0 to 4; a vocabulary of 4 has 0..3"),
        (IDS - 1, 9, "range from -1"),
        (IDS.astype(float), 9, "give integers"),
        (IDS[0], 9, "give integers"),
        (IDS[:, :0], 9, "give integers"),
        (IDS[:, ::-1], 9, "row 0 of the tokens has padding"),
    ],
)
def test_wrong_ids_are_refused(ids: np.ndarray, vocabulary: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Tokens(ids, vocabulary)


def test_a_data_set_knows_what_its_samples_are() -> None:
    labels = torch.tensor([0, 1, -1, -1, -1])
    pictures = np.zeros((5, 4, 4, 3), dtype=np.uint8)
    kinds = [PartlyLabeled(x=x, labels=labels, k=2).kind for x in (Tokens(IDS, 5), IDS, pictures)]
    assert kinds == ["text", "vectors", "images"]
