"""A killed run continues as if nothing had happened, and a checkpoint is never incomplete."""

import dataclasses
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from ccp.conftest import blobs, tiny
from credprop.augment import ImageAugment
from credprop.ccp import PAPER, Additions, Result, Settings, train
from credprop.ccp.additions.first_iteration import settle
from credprop.data import PartlyLabeled
from credprop.training import Compute, Phase
from credprop.training.checkpoint import load_checkpoint, save_checkpoint

CPU = Compute(torch.device("cpu"))
TESTS = Path(__file__).parents[1]


def interrupted(data: PartlyLabeled, settings: Settings, checkpoint: Path, times: int) -> Result:
    """The result of a run that was interrupted after every epoch."""

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    for _ in range(times):
        with pytest.raises(KeyboardInterrupt):
            train(data, settings, compute=CPU, checkpoint=checkpoint, on_progress=interrupt)
    return train(data, settings, compute=CPU, checkpoint=checkpoint)


def start(checkpoint: Path, result: Path) -> subprocess.Popen[bytes]:
    environment = os.environ | {"PYTHONPATH": str(TESTS)}
    command = [sys.executable, str(TESTS / "ccp" / "killable.py"), str(checkpoint), str(result)]
    return subprocess.Popen(command, env=environment)


def position(checkpoint: Path) -> tuple[int, int]:
    """Stage and epoch of a checkpoint, or the beginning where there is none yet."""
    if not checkpoint.exists():
        return 0, 0
    _, numbers = load_checkpoint(checkpoint)
    return numbers["stage"], numbers["epoch"]


def kill_after(
    process: subprocess.Popen[bytes], checkpoint: Path, where: tuple[int, int], delay: float
) -> None:
    """Kill a moment after the run has reached this position."""
    while position(checkpoint) < where:
        assert process.poll() is None, "the run ended before it could be killed"
        time.sleep(0.002)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def test_a_run_killed_six_times_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    whole = tmp_path / "whole.safetensors"
    assert start(tmp_path / "a", whole).wait() == 0
    chance = random.Random(0)
    stages = [0, 0, 1, 2, 3, 3]  # pretraining, two iterations, building
    moments = [
        (stage, chance.randint(1, 12) + 14 * (stages[:i].count(stage))) for i, stage in enumerate(stages)
    ]
    for moment in moments:
        process = start(tmp_path / "b", tmp_path / "never.safetensors")
        kill_after(process, tmp_path / "b", moment, chance.random() * 0.01)
    resumed = tmp_path / "resumed.safetensors"
    assert start(tmp_path / "b", resumed).wait() == 0
    expected, found = load_file(whole), load_file(resumed)
    assert expected.keys() == found.keys()
    assert [name for name in expected if not torch.equal(expected[name], found[name])] == []
    assert not (tmp_path / "never.safetensors").exists()


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_interrupting_after_any_epoch_changes_nothing(optimizer: str, settled: bool, tmp_path: Path) -> None:
    data = blobs(labels_per_class=1 if settled else 3)
    additions = Additions(epoch=(settle,)) if settled else PAPER
    settings = tiny(optimizer=optimizer, projector=(8, 4), additions=additions)
    whole = train(data, settings, compute=CPU)
    assert any("rounds" in row for row in whole.history) is settled
    result = interrupted(data, settings, tmp_path / "c", times=len(whole.history))
    assert torch.equal(result.q, whole.q)
    assert torch.equal(result.opinion, whole.opinion)
    assert result.history == whole.history
    assert result.steps == whole.steps
    state = whole.model.state_dict()
    assert all(torch.equal(value, state[name]) for name, value in result.model.state_dict().items())


def test_interrupting_convolutions_changes_nothing(tmp_path: Path) -> None:
    """Their weights have the memory format channels-last, and so must the moments of the optimizer."""
    x = torch.randint(0, 256, (24, 8, 8, 3), generator=torch.Generator().manual_seed(0), dtype=torch.uint8)
    data = PartlyLabeled(x=x.numpy(), labels=torch.arange(24) % 3 - 1, k=2)
    phase = Phase(epochs=2, batch_size=12, lr=0.05)
    settings = tiny(
        encoder="resnet-small", augment=ImageAugment(), pretrain=None, first=phase, build=phase, iterations=1
    )
    whole = train(data, settings, compute=CPU)
    state = interrupted(data, settings, tmp_path / "c", times=4).model.state_dict()
    assert all(torch.equal(value, state[name]) for name, value in whole.model.state_dict().items())


def changed(data: PartlyLabeled, **columns: Tensor) -> PartlyLabeled:
    return dataclasses.replace(data, **columns)  # type: ignore[arg-type]


def test_a_checkpoint_of_another_run_is_refused_and_the_difference_named(tmp_path: Path) -> None:
    data, path = blobs(n=300), tmp_path / "c"
    train(data, tiny(), compute=CPU, checkpoint=path)
    labels, x = data.labels.clone(), torch.as_tensor(data.x).clone()
    labels[0], x[299] = 1, 0.0
    half = Compute(torch.device("cpu"), "bfloat16")
    other_weights = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1))
    for other, settings, seed, compute, name in (
        (changed(data, labels=labels), tiny(), 0, CPU, "labels"),
        (changed(data, x=x), tiny(), 0, CPU, "x"),
        (changed(data, guesses=torch.zeros(300, 3)), tiny(), 0, CPU, "guesses"),
        (data, tiny(d_max=0.02), 0, CPU, "d_max"),
        (data, tiny(encoder=other_weights), 0, CPU, "first weights"),
        (data, tiny(), 1, CPU, "first weights, seed"),
        (data, tiny(), 0, half, "compute"),
    ):
        with pytest.raises(ValueError, match=f"a run with different .*{name}.*; delete it to restart"):
            train(other, settings, seed=seed, compute=compute, checkpoint=path)


@pytest.mark.parametrize("more", [{}, {"a setting of another version": "True"}], ids=["fewer", "other"])
def test_a_checkpoint_that_knows_other_settings_is_refused(more: dict[str, str], tmp_path: Path) -> None:
    train(blobs(), tiny(), compute=CPU, checkpoint=tmp_path / "c")
    tensors, numbers = load_checkpoint(tmp_path / "c")
    del numbers["identity"]["d_max_decay"]
    numbers["identity"] |= more
    save_checkpoint(tmp_path / "c", tensors, numbers)
    with pytest.raises(
        ValueError, match=f"a run with different {', '.join([*more, 'd_max_decay'])}; delete it to restart"
    ):
        train(blobs(), tiny(), compute=CPU, checkpoint=tmp_path / "c")


def keep(x: Tensor, generator: torch.Generator) -> Tensor:
    return x


def test_a_custom_function_has_the_same_name_in_every_process(tmp_path: Path) -> None:
    train(blobs(), tiny(augment=keep), compute=CPU, checkpoint=tmp_path / "c")
    _, numbers = load_checkpoint(tmp_path / "c")
    assert numbers["identity"]["augment"] == "ccp.test_checkpoint.keep"
    assert " at 0x" not in str(numbers["identity"])


class Tied(nn.Module):
    """One layer under two names."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(6, 6)
        self.again = self.layer

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.again(self.layer(x).relu())
        return y


def test_an_encoder_that_shares_weights_can_be_saved(tmp_path: Path) -> None:
    settings = tiny(encoder=Tied())
    whole = train(blobs(), settings, compute=CPU)
    result = interrupted(blobs(), settings, tmp_path / "c", times=12)
    assert torch.equal(result.q, whole.q)


def test_a_checkpoint_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "c"
    save_checkpoint(path, {"x": torch.arange(3)}, {"epoch": 1})
    save_checkpoint(path, {"x": torch.arange(4)}, {"epoch": 2})
    tensors, numbers = load_checkpoint(path)
    assert tensors["x"].tolist() == [0, 1, 2, 3]
    assert numbers == {"epoch": 2}
    assert [file.name for file in path.parent.iterdir()] == ["c"]


def test_a_damaged_or_foreign_checkpoint_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "c"
    save_checkpoint(path, {"x": torch.arange(3)}, {})
    path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(ValueError, match="is damaged"):
        load_checkpoint(path)
    save_file({"x": torch.arange(3)}, path)
    with pytest.raises(ValueError, match="not a checkpoint of this version"):
        load_checkpoint(path)
