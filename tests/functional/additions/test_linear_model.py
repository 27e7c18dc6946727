"""The linear model, against scikit-learn and its own gradient."""

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from torch import Tensor
from torch.nn.functional import one_hot

from credprop.functional.additions import fit_linear


def problem(n: int = 60, d: int = 5, k: int = 3) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(n, d, generator=generator, dtype=torch.float64)
    y = (x[:, :k] + 0.5 * torch.randn(n, k, generator=generator, dtype=torch.float64)).argmax(dim=1)
    return x, y


def test_with_one_hot_labels_it_is_scikit_learns_logistic_regression() -> None:
    x, y = problem()
    weight, bias = fit_linear(x, one_hot(y).double())
    expected = LogisticRegression(max_iter=1000, tol=1e-8).fit(x.numpy(), y.numpy())
    found = (x @ weight.T + bias).softmax(dim=1).numpy()
    np.testing.assert_allclose(found, expected.predict_proba(x.numpy()), atol=2e-4)


def test_a_row_of_weight_two_counts_as_two_rows() -> None:
    x, y = problem()
    q = one_hot(y).double()
    twice = fit_linear(x, q * torch.where(torch.arange(60) < 20, 2, 1)[:, None])
    repeated = fit_linear(torch.cat([x, x[:20]]), torch.cat([q, q[:20]]))
    for own, other in zip(twice, repeated, strict=True):
        torch.testing.assert_close(own, other, atol=1e-4, rtol=1e-3)


def test_the_gradient_vanishes_where_it_ends_with_soft_labels() -> None:
    x, _ = problem()
    q = torch.rand(60, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    weight, bias = fit_linear(x, q, penalty=0.7)
    p = (x @ weight.T + bias).softmax(dim=1)
    slope = (p * q.sum(dim=1, keepdim=True) - q).T @ x + 0.7 * weight
    assert slope.abs().max() < 1e-3


def test_without_a_row_that_counts_it_knows_nothing() -> None:
    weight, bias = fit_linear(torch.randn(4, 2), torch.zeros(4, 3))
    assert not weight.any()
    assert not bias.any()
