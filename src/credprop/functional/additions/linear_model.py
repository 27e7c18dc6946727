"""A linear model of soft labels: multinomial logistic regression."""

import torch
from jaxtyping import Float
from torch import Tensor

_HISTORY = 10  # past gradients that the optimizer keeps


def fit_linear(
    x: Float[Tensor, "n d"], q: Float[Tensor, "n k"], *, penalty: float = 1.0, steps: int = 200
) -> tuple[Float[Tensor, "k d"], Float[Tensor, " k"]]:
    """Weights W and biases b of a logistic regression on soft labels.

        minimize  -sum_ik q_ik log softmax(W x_i + b)_k + penalty / 2 |W|^2

    A row counts as much as its `q` sums to. With one-hot labels and a penalty of 1 it is scikit-learn's
    LogisticRegression.
    """
    weight, bias = x.new_zeros(q.shape[1], x.shape[1]), x.new_zeros(q.shape[1])
    parameters = [weight.requires_grad_(), bias.requires_grad_()]
    optimizer = torch.optim.LBFGS(
        parameters, max_iter=steps, history_size=_HISTORY, tolerance_grad=1e-4, line_search_fn="strong_wolfe"
    )

    def objective() -> Tensor:
        optimizer.zero_grad()
        fit = -(q * (x @ weight.T + bias).log_softmax(dim=1)).sum()
        value = fit + penalty / 2 * weight.square().sum()
        value.backward()
        return value

    with torch.enable_grad():
        optimizer.step(objective)
    return weight.detach(), bias.detach()
