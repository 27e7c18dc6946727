"""Texts through the whole algorithm: presets, gradients, interruption, prediction."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from ccp.conftest import tiny
from ccp.test_checkpoint import interrupted
from credprop.augment import TextAugment, identity
from credprop.ccp import (
    Settings,
    choose_settings,
    estimate_seconds,
    planned_steps,
    train,
    train_supervised,
    with_budget,
)
from credprop.ccp.setup import new_state, two_views
from credprop.data import PartlyLabeled, Tokens
from credprop.networks import TextEncoder, TextNetwork
from credprop.prepare import TEXT_LENGTHS
from credprop.training import Compute, Phase, accuracy, embed, predict_logits

CPU = Compute(torch.device("cpu"))
NETWORK = TextNetwork(vocabulary=41, width=8, branches=(((8, 3), (6, 2)), ((4, 5),)), dropout=0.1)


def texts(n: int = 60, length: int = 9, labels_per_class: int = 3) -> PartlyLabeled:
    """Two classes with words of their own among common ones; one text is empty, one a single word."""
    generator = np.random.default_rng(0)
    truth = np.arange(n) % 2
    common, own = generator.integers(1, 21, (n, length)), generator.integers(21, 31, (n, length))
    ids = np.where(generator.random((n, length)) < 0.5, own + 10 * truth[:, None], common)
    ids[np.arange(length) >= generator.integers(4, length + 1, n)[:, None]] = 0
    ids[-1], ids[-2, 1:] = 0, 0
    labels = np.where(np.arange(n) < 2 * labels_per_class, truth, -1)
    x = Tokens(ids, 41)
    return PartlyLabeled(x=x, labels=torch.from_numpy(labels), k=2, truth=torch.from_numpy(truth))


def short(**changes: Any) -> Settings:
    chosen: dict[str, Any] = {"encoder": NETWORK, "augment": TextAugment(), "optimizer": "adam"} | changes
    return tiny(**chosen)


def test_a_run_learns_the_words_of_the_classes() -> None:
    data, phase = texts(200, labels_per_class=8), Phase(epochs=12, batch_size=64, lr=0.02)
    network = TextNetwork(vocabulary=41, width=8, branches=(((16, 1),), ((16, 3),)), normalized=True)
    augment = TextAugment(kinds=("hide",), share=(0.3, 0.6))
    settings = short(encoder=network, augment=augment, pretrain=phase, first=phase, refine=phase, build=phase)
    result = train(data, settings, compute=CPU)
    assert data.truth is not None
    assert accuracy(result.model, data.x, data.truth) > 0.9
    assert predict_logits(result.model, data.x).isfinite().all()
    assert embed(result.model, data.x).shape == (200, 32)


def test_interrupting_after_any_epoch_changes_nothing(tmp_path: Path) -> None:
    data, settings = texts(), short()
    whole = train(data, settings, compute=CPU)
    result = interrupted(data, settings, tmp_path / "c", times=12)
    assert torch.equal(result.q, whole.q)
    assert result.history == whole.history
    state = whole.model.state_dict()
    assert all(torch.equal(value, state[name]) for name, value in result.model.state_dict().items())


def test_a_checkpoint_of_other_texts_is_refused(tmp_path: Path) -> None:
    data, settings = texts(), short()
    train(data, settings, compute=CPU, checkpoint=tmp_path / "c")
    assert isinstance(data.x, Tokens)
    ids = data.x.ids.copy()
    ids[40, 0] = 7
    other = dataclasses.replace(data, x=Tokens(ids, 41))
    with pytest.raises(ValueError, match="of a run with different x;"):
        train(other, settings, compute=CPU, checkpoint=tmp_path / "c")


def test_the_table_learns_and_every_stage_starts_from_the_same_one() -> None:
    data = texts()
    result = train(data, short(), compute=CPU)
    state = new_state(data, short(), 0, CPU)
    first = {name: value for name, value in state.pretrained.items() if name == "encoder.embedding.weight"}
    assert first  # reset and checkpoint hold it
    assert isinstance(result.model.encoder, TextEncoder)
    moved = result.model.encoder.embedding.weight - first["encoder.embedding.weight"]
    assert (moved.abs().amax(dim=1) > 0).all()


def test_views_are_vectors_that_lead_back_to_the_table_or_ids_where_the_transform_takes_ids() -> None:
    data, index = texts(), torch.arange(5)
    state = new_state(data, short(), 0, CPU)
    views = two_views(state, index)
    assert views.shape == (10, 9, 8)
    assert isinstance(state.model.encoder, TextEncoder)
    (gradient,) = torch.autograd.grad(views.sum(), state.model.encoder.embedding.weight)
    assert gradient.any()
    plain = two_views(new_state(data, short(augment=identity), 0, CPU), index)
    assert torch.equal(plain, data.rows(index).repeat(2, 1))


def test_any_module_and_any_augmentation_of_ids_works() -> None:
    def drop_the_first(ids: Tensor, generator: torch.Generator) -> Tensor:
        return torch.cat([ids[:, 1:], torch.zeros_like(ids[:, :1])], dim=1)

    class Bag(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bag = nn.EmbeddingBag(41, 5)

        def forward(self, x: Tensor) -> Tensor:
            return self.bag(x)  # type: ignore[no-any-return]

    data = texts()
    result = train(data, tiny(encoder=Bag(), augment=drop_the_first), compute=CPU)
    assert predict_logits(result.model, data.x).shape == (60, 2)
    with pytest.raises(ValueError, match="Bag has no attribute `embedding`"):
        train(data, tiny(encoder=Bag(), augment=TextAugment()), compute=CPU)


def test_vectors_learned_elsewhere_start_the_table() -> None:
    vectors = torch.randn(41, 8, generator=torch.Generator().manual_seed(3))
    settings = dataclasses.replace(short(), encoder=TextEncoder(NETWORK, vectors))
    assert torch.equal(new_state(texts(), settings, 0, CPU).pretrained["encoder.embedding.weight"], vectors)


@pytest.mark.parametrize(
    ("preset", "length", "dropout", "decay", "filters"),
    [
        ("text-ag-news", 512, 0.0, 0.0, 32),
        ("text-dbpedia", 512, 0.0, 0.0, 32),
        ("text-rotten-tomatoes", 256, 0.8, 0.001, 32),
        ("text-yahoo", 1024, 0.8, 0.001, 64),
    ],
)
def test_presets_are_the_appendixs_table(
    preset: str, length: int, dropout: float, decay: float, filters: int
) -> None:
    settings = choose_settings(texts(), preset)
    assert TEXT_LENGTHS[preset] == length
    kernels = [(5, 3), (9, 7), (13, 9)][: 2 if filters == 32 else 3]
    branches = tuple(((filters, first), (filters // 2, second)) for first, second in kernels)
    assert settings.encoder == TextNetwork(vocabulary=41, width=100, branches=branches, dropout=dropout)
    phase = Phase(epochs=40, batch_size=256, lr=0.00004)
    assert (settings.first, settings.refine, settings.pretrain, settings.iterations) == (
        phase,
        phase,
        None,
        8,
    )
    assert (settings.optimizer, settings.weight_decay, settings.temperature) == ("adam", decay, 0.1)
    assert (settings.projector, settings.classifier, settings.d_max) == ((64, 32), (64,), 0.01)
    assert settings.augment == TextAugment()


def test_presets_for_texts_refuse_vectors() -> None:
    vectors = PartlyLabeled(x=np.zeros((6, 3)), labels=torch.arange(6) % 2, k=2)
    with pytest.raises(ValueError, match="this preset is for text, x holds vectors"):
        choose_settings(vectors, "text-yahoo")


def test_auto_takes_texts_and_the_baseline_and_the_estimate_too() -> None:
    data = texts()
    settings = with_budget(choose_settings(data), 0.001)
    assert isinstance(settings.encoder, TextNetwork)
    assert settings.encoder.vocabulary == 41
    result = train(data, settings, compute=CPU)
    assert result.steps == planned_steps(data, settings)
    assert predict_logits(train_supervised(data, settings, 2, compute=CPU), data.x).shape == (60, 2)
    assert estimate_seconds(data, settings, CPU) > 0


@pytest.mark.parametrize("length", [1, 2])
def test_texts_of_a_word_or_two_work(length: int) -> None:
    data = texts(length=9)
    assert isinstance(data.x, Tokens)
    cropped = dataclasses.replace(data, x=Tokens(data.x.ids[:, :length], 41))
    assert predict_logits(train(cropped, short(), compute=CPU).model, cropped.x).isfinite().all()
