"""The share of trusted rows that can be expected to be right."""

import pytest
import torch

from credprop.trial.trusted import share_right


def test_without_hidden_rows_that_are_sure_the_confidence_is_all_there_is() -> None:
    b = torch.full((5, 2), 0.5).double()
    share, low, high = share_right(torch.full((9,), 0.95), b, torch.zeros(5, dtype=torch.long), 0.0, 0.9)
    assert share == pytest.approx(0.95)
    assert low < 0.8
    assert high > 0.97


def test_hidden_rows_that_are_sure_and_wrong_lower_it() -> None:
    b = torch.tensor([[0.97, 0.03]]).double().repeat(200, 1)
    labels = (torch.arange(200) < 60).long()  # 140 of 200 are right
    share, low, high = share_right(torch.full((9,), 0.97), b, labels, 0.0, 0.9)
    assert share == pytest.approx((0.97 * 10 + 200 * 140.5 / 201) / 210)
    assert low < 0.7 < high


def test_noise_in_the_labels_is_taken_into_account() -> None:
    generator = torch.Generator().manual_seed(0)
    n, k, eta, p = 4000, 4, 0.5, 0.9
    right = torch.rand(n, generator=generator) < p
    silent = torch.rand(n, generator=generator) < eta
    labels = torch.where(silent, torch.randint(k, (n,), generator=generator), (~right).long())
    b = torch.tensor([[0.94, 0.02, 0.02, 0.02]]).double().repeat(n, 1)
    share, low, high = share_right(torch.full((9,), 0.94), b, labels, eta, 0.9)
    assert low < right.double().mean() < high
    assert high - low == pytest.approx(2 * 1.96 * (0.575 * 0.425 / (n * 0.25)) ** 0.5, rel=0.15)
    assert share == pytest.approx(p, abs=0.03)
