"""BPEmb, if it is installed and has its files."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from credprop.data import BytePairs, tokenizer_from_json, train_tokenizer
from credprop.data.bpemb import load_bpemb


@pytest.fixture(scope="module")
def tokenizer() -> BytePairs:
    return train_tokenizer(["the cat sat", "the cats sitting", "the cat cat sitting"] * 2, vocabulary=290)


def test_bpemb_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bpemb", None)
    with pytest.raises(ValueError, match=r"pip install 'credprop\[bpemb\]'"):
        load_bpemb()


def bpemb_of(monkeypatch: pytest.MonkeyPatch, make: object) -> None:
    module = ModuleType("bpemb")
    module.BPEmb = make  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "bpemb", module)


def test_bpemb_without_a_network_says_what_to_download(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: object) -> None:
        print("downloading")
        raise ConnectionError("no route\nto host")

    bpemb_of(monkeypatch, fail)
    with pytest.raises(ValueError, match=r"no route to host\); download de\.wiki\.bpe\.vs5000\.model"):
        load_bpemb("de", 5000, 50)
    assert capsys.readouterr().out == ""


def test_bpemb_splits_and_its_vectors_are_one_row_lower(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(*, lang: str, vs: int, dim: int) -> SimpleNamespace:
        def encode_ids(texts: list[str]) -> list[list[int]]:
            return [[len(word) for word in text.split()] for text in texts]

        vectors = np.arange(vs * dim, dtype=np.float64).reshape(vs, dim)
        return SimpleNamespace(lang=lang, vs=vs, dim=dim, vectors=vectors, encode_ids=encode_ids)

    bpemb_of(monkeypatch, make)
    tokenizer = tokenizer_from_json(load_bpemb("de", 7, 2).to_json())
    assert tokenizer.vocabulary == 8
    assert tokenizer.encode(["ab abc", "", "a\ud800"], 3).ids.tolist() == [[3, 4, 0], [0, 0, 0], [3, 0, 0]]
    table = load_bpemb("de", 7, 2).vectors()
    assert table.shape == (8, 2)
    assert table[3].tolist() == [4, 5]
