"""The schedule in closed form, the stopping rule step by step, the average of weights."""

import dataclasses
import math

import pytest
import torch
from torch import Tensor, nn

from ccp.conftest import tiny
from credprop.training import Phase
from credprop.training.optimization import Learner


def weight(subject: Learner) -> Tensor:
    return next(subject.model.parameters())


def learner(phase: Phase, *, average: bool = False, **settings: float | str) -> Learner:
    model = nn.Linear(2, 1, bias=False)
    nn.init.ones_(model.weight)
    return Learner(model, model.parameters(), tiny(**settings), phase, average=average)


def test_rate_falls_by_seven_sixteenths_of_half_a_cosine_over_the_horizon() -> None:
    phase = Phase(epochs=10, batch_size=4, lr=0.06)
    assert learner(phase).rate(0) == 0.06
    assert learner(phase).rate(5) == pytest.approx(0.06 * math.cos(7 * math.pi / 32))
    assert learner(phase).rate(10) == pytest.approx(0.06 * math.cos(7 * math.pi / 16))
    longer = dataclasses.replace(phase, schedule_epochs=40)
    assert learner(longer).rate(10) == pytest.approx(0.06 * math.cos(7 * math.pi / 64))


def test_one_step_of_nesterov_momentum_with_decay_in_closed_form() -> None:
    subject = learner(Phase(epochs=1, batch_size=4, lr=0.1), momentum=0.9, weight_decay=0.5)
    for _ in range(2):
        subject.step(weight(subject).sum(), 0.0)
    expected, velocity = 1.0, 0.0
    for _ in range(2):
        gradient = 1 + 0.5 * expected
        velocity = 0.9 * velocity + gradient if velocity else gradient
        expected -= 0.1 * (gradient + 0.9 * velocity)
    assert weight(subject)[0, 0].item() == pytest.approx(expected, rel=1e-6)


def test_adam_moves_by_the_rate_at_first() -> None:
    subject = learner(Phase(epochs=1, batch_size=4, lr=0.1), optimizer="adam", weight_decay=0.0)
    subject.step(3 * weight(subject).sum(), 0.0)
    assert weight(subject)[0, 0].item() == pytest.approx(0.9, rel=1e-5)


def test_averaged_weights_follow_the_equation_with_a_decay_that_starts_low() -> None:
    subject = learner(Phase(epochs=1, batch_size=4, lr=0.1), average=True, weight_average=0.25, momentum=0.0)
    expected = 1.0
    for step in (1, 2, 3):
        subject.step(weight(subject).sum(), 0.0)
        decay = min(0.25, (1 + step) / (10 + step))
        expected = decay * expected + (1 - decay) * weight(subject)[0, 0].item()
    subject.take_average()
    assert weight(subject)[0, 0].item() == pytest.approx(expected, rel=1e-6)


def test_stops_when_the_averaged_loss_has_not_dropped_enough_for_as_long_as_its_patience() -> None:
    subject = learner(Phase(epochs=99, batch_size=4, lr=0.0, patience=2))
    answers = []
    for loss in (1.0, 0.5, 0.4995, 0.4, 0.3995, 0.41):  # the second and fifth drops are below 0.001
        subject.loss_average = loss
        answers.append(subject.stalls())
    assert answers == [False, False, False, False, False, True]


def test_without_patience_nothing_stops() -> None:
    subject = learner(Phase(epochs=99, batch_size=4, lr=0.0))
    subject.loss_average = 1.0
    assert not any(subject.stalls() for _ in range(50))


def test_loss_is_averaged_over_batches_from_the_first_one_on() -> None:
    subject = learner(Phase(epochs=1, batch_size=4, lr=0.0))
    for value in (4.0, 2.0, 1.0):
        subject.step((0 * weight(subject)).sum() + torch.tensor(value), 0.0)
    assert subject.loss_average == pytest.approx(0.99 * (0.99 * 4 + 0.01 * 2) + 0.01 * 1)
