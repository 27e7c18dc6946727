"""Weights are found on this machine and read without running code."""

import pickle
from pathlib import Path
from typing import Any

import pytest
import torch

from credprop.frozen import choose_frozen
from frozen.vits import as_torch_saved, images, tiny_vit


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The arguments of every call of torch.load."""
    calls: list[dict[str, Any]] = []
    load = torch.load

    def watched(*args: Any, **given: Any) -> Any:
        calls.append(given)
        return load(*args, **given)

    monkeypatch.setattr(torch, "load", watched)
    return calls


def test_weights_are_read_only_as_tensors(tmp_path: Path, loads: list[dict[str, Any]]) -> None:
    choose_frozen("pretrained").encode(images())
    assert len(loads) == 1
    folder = tiny_vit(tmp_path / "vit")
    expected = choose_frozen(f"pretrained:{folder}").encode(images())
    assert len(loads) == 1  # safetensors
    assert (choose_frozen(f"pretrained:{as_torch_saved(folder)}").encode(images()) == expected).all()
    assert len(loads) > 1
    assert all(given["weights_only"] is True for given in loads)


def test_a_pickle_in_place_of_weights_is_refused(tmp_path: Path) -> None:
    from frozen.test_sentence import Bomb

    folder = as_torch_saved(tiny_vit(tmp_path / "vit"))
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(tmp_path / "ran")))
    with pytest.raises(ValueError, match="cannot be loaded") as caught:
        choose_frozen(f"pretrained:{folder}").encode(images())
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="contains no weights"):
        choose_frozen(f"pretrained:{tmp_path}")
