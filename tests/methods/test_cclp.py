"""CCLP: its cost as plain loops, and its minimum at one compact cluster a class."""

import math

import torch
from torch.nn.functional import cross_entropy, one_hot

from credprop.methods import Batch
from credprop.methods.cclp import CCLP, clustering_cost, propagated, transitions
from credprop.networks import Model


def latent(n: int = 9, seed: int = 0) -> torch.Tensor:
    return torch.randn(n, 4, generator=torch.Generator().manual_seed(seed)).double()


LABELS = one_hot(torch.arange(4) % 2, 2).double()


def test_transitions_are_probabilities_and_lead_anywhere() -> None:
    h = transitions(100 * latent())
    torch.testing.assert_close(h.sum(dim=1), torch.ones(9).double())
    assert h.min() > 0


def test_labels_propagate_until_nothing_changes() -> None:
    """The closed form against many steps of taking the mean of the neighbors, with fixed labels."""
    h = transitions(latent() / 2)
    phi = torch.cat([LABELS, torch.full((5, 2), 0.5).double()])
    for _ in range(500):
        phi = torch.cat([LABELS, (h @ phi)[4:]])
    torch.testing.assert_close(propagated(h, LABELS), phi)


def test_cost_as_plain_loops() -> None:
    h = transitions(latent())
    phi, transition, n = propagated(h, LABELS).tolist(), h.tolist(), 9
    mass = [sum(phi[i][c] for i in range(n)) for c in range(2)]
    ideal = [[sum(phi[i][c] * phi[j][c] / mass[c] for c in range(2)) for j in range(n)] for i in range(n)]
    match = [[sum(phi[i][c] * phi[j][c] for c in range(2)) for j in range(n)] for i in range(n)]
    within = [[transition[i][j] * match[i][j] for j in range(n)] for i in range(n)]
    expected, reached = [0.0] * n, transition
    for step in range(3):
        if step:
            reached = [
                [sum(within[i][m] * reached[m][j] for m in range(n)) for j in range(n)] for i in range(n)
            ]
        for i in range(n):
            expected[i] -= sum(ideal[i][j] * math.log(reached[i][j] + 1e-6) for j in range(n)) / 3
    torch.testing.assert_close(clustering_cost(h, LABELS, chain=3), torch.tensor(expected).double())


def test_compact_clusters_far_apart_have_the_least_cost() -> None:
    """The cost is a cross-entropy, so the entropy of the ideal transitions bounds it from below."""
    truth = torch.tensor([0, 1, 0, 1, 0, 0, 1, 1, 0, 1])
    clusters = 10 * torch.eye(2)[truth].double()
    cost = clustering_cost(transitions(clusters), LABELS, chain=3)
    torch.testing.assert_close(cost, torch.full((10,), math.log(5)).double(), atol=1e-3, rtol=0)
    for seed in range(5):
        shaken = clusters + latent(10, seed)[:, :2]
        assert clustering_cost(transitions(shaken), LABELS, chain=3).mean() > cost.mean()


def test_without_weight_only_the_labels_count(model: Model, batch: Batch) -> None:
    losses = CCLP(weight=0.0)(model, batch)
    assert losses["clustering"] == 0
    torch.testing.assert_close(losses["supervised"], cross_entropy(model(batch.x), batch.y))


def test_the_gradient_is_finite_where_the_graph_falls_apart(model: Model, batch: Batch) -> None:
    torch.nn.init.normal_(model.encoder[0].weight, std=100.0)  # type: ignore[index]
    losses = CCLP()(model, batch)
    losses["clustering"].backward()
    assert losses["clustering"].isfinite()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)
