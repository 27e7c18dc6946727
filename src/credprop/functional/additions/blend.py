"""The blend of candidates, and what the likelihood of given labels says about labels and rows."""

from jaxtyping import Float, Int
from torch import Tensor


def blend(
    log_p: Float[Tensor, "m n k"], temperature: Float[Tensor, " m"], weights: Float[Tensor, " m"]
) -> Float[Tensor, "n k"]:
    """Probability of the true class: candidates at their temperatures, averaged by their weights.

    b = sum_m w_m softmax(log p_m / T_m)
    """
    tempered = (log_p / temperature[:, None, None]).softmax(dim=2)
    return (weights[:, None, None] * tempered).sum(dim=0)


def label_likelihood(
    b: Float[Tensor, "n k"], labels: Int[Tensor, " n"], eta: Float[Tensor, ""]
) -> Float[Tensor, " n"]:
    """Probability of each given label, if a share eta of them says nothing.

    P(given label y | x) = (1 - eta) b_y + eta / K
    """
    own = b.gather(1, labels[:, None])[:, 0]
    return (1 - eta) * own + eta / b.shape[1]


def true_class(
    b: Float[Tensor, "n k"], labels: Int[Tensor, " n"], eta: Float[Tensor, ""]
) -> Float[Tensor, "n k"]:
    """Probability of each class to be the true one, after seeing the given label.

        P(k | y, x) = b_k ((1 - eta) [k = y] + eta / K) / P(given label y | x)

    For eta = 0 the given label is right.
    """
    says = b.new_full(b.shape, 1 / b.shape[1]) * eta
    says = says.scatter_add(1, labels[:, None], (1 - eta).expand(len(b), 1))
    joint = b * says
    return joint / joint.sum(dim=1, keepdim=True)
