"""A run that goes on from a shared pretraining is the run that pretrains by itself."""

import dataclasses
from pathlib import Path

import pytest
import torch

from ccp.conftest import blobs, tiny, weights
from credprop.ccp import pretrain_once, train, train_on
from credprop.data import PartlyLabeled
from credprop.training import Compute

CPU = Compute(torch.device("cpu"))


def test_it_ends_bit_for_bit_the_same(data: PartlyLabeled) -> None:
    alone = train(data, tiny(), seed=3, compute=CPU)
    shared = train_on(pretrain_once(data, tiny(), seed=3, compute=CPU), data, tiny(), seed=3, compute=CPU)
    assert torch.equal(alone.q, shared.q)
    assert (alone.history, alone.steps, alone.views) == (shared.history, shared.steps, shared.views)
    for own, other in zip(weights(alone.model).values(), weights(shared.model).values(), strict=True):
        assert torch.equal(own, other)


def test_the_pretraining_knows_no_label(data: PartlyLabeled) -> None:
    hidden = dataclasses.replace(data, labels=torch.full_like(data.labels, -1))
    first, second = (pretrain_once(own, tiny(), compute=CPU) for own in (data, hidden))
    assert first is not None
    assert second is not None
    assert all(torch.equal(first.weights[name], second.weights[name]) for name in first.weights)


def test_several_runs_leave_it_as_it_is(data: PartlyLabeled) -> None:
    start = pretrain_once(data, tiny(), compute=CPU)
    first = train_on(start, data, tiny(), compute=CPU)
    train_on(start, blobs(labels_per_class=5), tiny(trust_labels=False), compute=CPU)
    assert torch.equal(first.q, train_on(start, data, tiny(), compute=CPU).q)


def test_without_a_pretraining_there_is_none_to_share(data: PartlyLabeled) -> None:
    settings = tiny(pretrain=None)
    assert pretrain_once(data, settings, compute=CPU) is None
    assert torch.equal(train_on(None, data, settings, compute=CPU).q, train(data, settings, compute=CPU).q)


@pytest.mark.parametrize("epochs", [1, 4])
def test_an_interrupted_run_goes_on_from_it(data: PartlyLabeled, tmp_path: Path, epochs: int) -> None:
    start = pretrain_once(data, tiny(), compute=CPU)
    seen = []

    def interrupt(progress: object) -> None:
        seen.append(progress)
        if len(seen) == epochs:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_on(start, data, tiny(), compute=CPU, checkpoint=tmp_path / "run", on_progress=interrupt)
    resumed = train_on(start, data, tiny(), compute=CPU, checkpoint=tmp_path / "run")
    assert torch.equal(resumed.q, train_on(start, data, tiny(), compute=CPU).q)
