"""What a run learns, what it does not change, and that every setting has an effect."""

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import Dataset

from ccp.conftest import able, blobs, tiny, weights
from credprop.augment import ImageAugment
from credprop.ccp import Additions, Progress, planned_steps, train, train_supervised
from credprop.ccp.additions.targets import balance_classes, balance_labels, square_strength
from credprop.data import PartlyLabeled
from credprop.functional import initial_credibility, strength
from credprop.training import Compute, Phase, accuracy, choose_compute

CPU = Compute(torch.device("cpu"))


def same(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(a[name], b[name]) for name in a)


def test_clusters_are_labeled_and_learned(data: PartlyLabeled) -> None:
    result = train(data, able(), compute=CPU)
    assert data.truth is not None
    assert (result.q.argmax(dim=1) == data.truth).float().mean() > 0.97
    assert accuracy(result.model, data.x, data.truth) > 0.97
    assert result.q.min() >= 0
    assert result.q.max() <= 1


def test_same_seed_same_result_bit_for_bit_and_another_seed_another(data: PartlyLabeled) -> None:
    first, again, other = (train(data, tiny(), seed=seed, compute=CPU) for seed in (1, 1, 2))
    assert same(weights(first.model), weights(again.model))
    assert torch.equal(first.q, again.q)
    assert torch.equal(first.opinion, again.opinion)
    assert first.history == again.history
    assert not same(weights(first.model), weights(other.model))
    assert not torch.equal(first.q, other.q)


def test_no_global_random_state_is_touched_and_none_matters(data: PartlyLabeled) -> None:
    torch.manual_seed(5)
    before, state = np.random.get_state(legacy=True), torch.get_rng_state()
    first = train(data, tiny(), compute=CPU)
    train_supervised(data, tiny(), 5, compute=CPU)
    assert torch.equal(torch.get_rng_state(), state)
    assert str(np.random.get_state(legacy=True)) == str(before)
    torch.manual_seed(6)
    assert torch.equal(train(data, tiny(), compute=CPU).q, first.q)


def test_a_custom_encoder_is_not_changed(data: PartlyLabeled) -> None:
    settings = tiny()
    assert isinstance(settings.encoder, nn.Module)
    before = weights(settings.encoder)
    train(data, settings, compute=CPU)
    assert same(weights(settings.encoder), before)


def test_trusted_labels_stay_and_untrusted_ones_are_refined() -> None:
    data = blobs(labels_per_class=8)
    labels = data.labels.clone()
    labels[0] = 1  # wrong: truly of class 0
    data = dataclasses.replace(data, labels=labels)
    given = data.given
    trusted = train(data, able(), compute=CPU)
    assert torch.equal(trusted.q[given], initial_credibility(labels, 3)[given])
    untrusted = train(data, able(trust_labels=False), compute=CPU)
    assert untrusted.q[0].argmax() == 0
    for result in (trusted, untrusted):
        assert result.opinion[0].argmax() == 0  # both know better
        assert (result.opinion[given[1:]].argmax(dim=1) == labels[given[1:]]).all()
        assert (result.opinion[labels < 0] == 0).all()  # there is no label to have an opinion about


def test_history_holds_what_the_paper_plots(data: PartlyLabeled) -> None:
    result = train(data, tiny(), compute=CPU, watch=[10, 20])
    assert [row["stage"] for row in result.history] == ["pretrain"] * 3 + ["refine"] * 6 + ["build"] * 3
    ends = [row for row in result.history if "p" in row]
    assert [row["iteration"] for row in ends] == [1, 2]
    assert [row["d_max"] for row in ends] == [0.01, 0.005]
    assert ends[1]["p"] < ends[0]["p"]
    for row in ends:
        assert row["kl"] < row["d_max"]
        assert sum(row["class_distribution"]) == pytest.approx(1)
        assert 0 < row["strength"] <= 1
        assert 0.5 < row["pseudo_label_accuracy"] <= 1
    refined = [row for row in result.history if row["stage"] == "refine"]
    assert all(np.shape(row["watched"]) == (2, 3) for row in refined)
    built = result.history[-1]
    assert built["loss"] == pytest.approx(built["contrastive"] + built["classification"])
    assert all(np.isfinite([row["loss"], row["loss_average"], row["lr"]]).all() for row in result.history)


def test_the_mean_over_epochs_of_a_watched_sample_is_what_the_iteration_ends_with(
    data: PartlyLabeled,
) -> None:
    everyone = range(len(data))
    result = train(data, tiny(iterations=1), compute=CPU, watch=everyone)
    rows = [row["watched"] for row in result.history if row["stage"] == "refine"]
    mean = torch.tensor(rows).mean(dim=0)[data.labels < 0]
    assert torch.equal(mean.argmax(dim=1), result.q[data.labels < 0].argmax(dim=1))


def test_unlabeled_samples_say_which_iteration_labeled_them(data: PartlyLabeled) -> None:
    result = train(data, tiny(), compute=CPU)
    assert (result.labeled_iter[data.given] == 0).all()
    rest = result.labeled_iter[data.labels < 0]
    assert set(rest.tolist()) <= {-1, 1, 2}
    assert ((rest > 0) == (strength(result.q)[data.labels < 0] > 0)).float().mean() > 0.95


def test_label_guesses_are_a_start(data: PartlyLabeled) -> None:
    assert data.truth is not None
    guesses = 0.5 * torch.nn.functional.one_hot(data.truth, 3).float()
    nothing = dataclasses.replace(data, labels=torch.full_like(data.labels, -1))
    result = train(dataclasses.replace(nothing, guesses=guesses), able(), compute=CPU)
    assert (result.q.argmax(dim=1) == data.truth).float().mean() > 0.97
    assert strength(train(nothing, able(), compute=CPU).q).max() == 0  # nothing in, nothing out


@pytest.mark.parametrize(
    "switch",
    [
        {"softmax": True},
        {"pretrain": None},
        {"reset": False},
        {"both_losses": False},
        {"subsample_final": True},
        {"additions": Additions(targets=(square_strength,))},
        {"additions": Additions(targets=(balance_classes,))},
        {"additions": Additions(targets=(balance_labels,))},
        {"d_max": 0.0},
        {"optimizer": "adam"},
        {"trust_labels": False},
    ],
    ids=str,
)
def test_every_switch_changes_the_run(data: PartlyLabeled, switch: dict[str, Any]) -> None:
    plain, switched = train(data, tiny(), compute=CPU), train(data, tiny(**switch), compute=CPU)
    assert not same(weights(plain.model), weights(switched.model))
    assert all(value.isfinite().all() for value in weights(switched.model).values())


def test_without_subsampling_nothing_is_reset_and_softmax_is_neither_clipped_nor_scaled(
    data: PartlyLabeled,
) -> None:
    ends = [row for row in train(data, tiny(d_max=0.0), compute=CPU).history if "p" in row]
    assert [row["p"] for row in ends] == [0, 0]
    unlabeled = data.labels < 0
    softmax = train(data, tiny(softmax=True, d_max=0.0), compute=CPU).q[unlabeled]
    torch.testing.assert_close(softmax.sum(dim=1), torch.ones(len(softmax)))


def test_an_iteration_stops_when_the_loss_stops_dropping(data: PartlyLabeled) -> None:
    still = Phase(epochs=50, batch_size=32, lr=0.0, patience=4)
    result = train(data, tiny(refine=still), compute=CPU)
    last = [row for row in result.history if row["iteration"] == 2]
    assert 5 <= len(last) < 50


def test_half_precision_is_finite_and_close(data: PartlyLabeled) -> None:
    assert data.truth is not None
    compute = choose_compute("cpu", "bfloat16")
    result = train(data, able(), compute=compute)
    assert result.q.isfinite().all()
    assert accuracy(result.model, data.x, data.truth) > 0.97


def test_images_of_bytes_work_with_the_small_residual_network() -> None:
    generator = torch.Generator().manual_seed(0)
    truth = torch.arange(40) % 2
    x = torch.randint(0, 100, (40, 8, 8, 3), generator=generator, dtype=torch.uint8)
    x[truth == 1, :4] += 150
    data = PartlyLabeled(x=x.numpy(), labels=torch.where(torch.arange(40) < 8, truth, -1), k=2, truth=truth)
    settings = tiny(encoder="resnet-small", augment=ImageAugment(area=0.5, flip=0.0, jitter=0.0))
    result = train(data, settings, compute=CPU)
    assert (result.q.argmax(dim=1) == truth).float().mean() > 0.9


class Squares(Dataset[torch.Tensor]):
    """A user's own data set."""

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.full((6,), float(index % 2)) + 0.01 * index

    def __len__(self) -> int:
        return 30


def test_a_custom_data_set_works_like_an_array() -> None:
    truth = torch.arange(30) % 2
    data = PartlyLabeled(x=Squares(), labels=torch.where(torch.arange(30) < 6, truth, -1), k=2, truth=truth)
    result = train(data, tiny(), compute=CPU)
    assert (result.q.argmax(dim=1) == truth).float().mean() > 0.9


def test_progress_is_reported_every_epoch_up_to_the_end(data: PartlyLabeled) -> None:
    seen: list[Progress] = []
    train(data, tiny(), compute=CPU, on_progress=seen.append)
    assert [(p.stage, p.iteration, p.epoch) for p in seen[2:5]] == [
        ("pretrain", 0, 3), ("refine", 1, 1), ("refine", 1, 2),
    ]  # fmt: skip
    assert seen[-1].done == seen[-1].planned == 12
    assert all(p.iterations == 2 for p in seen)


def test_supervised_training_takes_as_many_steps_as_asked_and_fits_its_labels(data: PartlyLabeled) -> None:
    model = train_supervised(data, tiny(), 60, compute=CPU)
    given = data.given
    assert accuracy(model, data.rows(given), data.labels[given]) == 1


def test_planned_steps_are_taken_where_nothing_stops_early(data: PartlyLabeled) -> None:
    assert planned_steps(data, tiny()) == 4 * 3 * 3  # stages, epochs, batches of 32 from 90 samples
    assert train(data, tiny(), compute=CPU).steps == 36


def test_wrong_settings_are_refused(data: PartlyLabeled) -> None:
    with pytest.raises(ValueError, match="epochs and batch_size must be at least 1"):
        Phase(epochs=0, batch_size=4, lr=0.1)
    with pytest.raises(ValueError, match="unknown optimizer 'adamw'; use sgd or adam"):
        tiny(optimizer="adamw")
    with pytest.raises(ValueError, match="unknown precision 'bf16'"):
        choose_compute("cpu", "bf16")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no row is labeled"):
        train_supervised(dataclasses.replace(data, labels=torch.full_like(data.labels, -1)), tiny(), 5)


def test_a_loss_that_is_not_finite_is_an_error(data: PartlyLabeled) -> None:
    phase = Phase(epochs=3, batch_size=32, lr=1e30)
    with pytest.raises(FloatingPointError, match="try a lower learning rate"):
        train(data, tiny(pretrain=None, first=phase, momentum=0.0), compute=CPU)
