"""The transductive mixture, against plain loops, and in cases with a known answer."""

import math

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from credprop.functional.additions import fit_linear, nearest_neighbors, transductive_mixture


def clusters(n: int = 60, k: int = 3) -> tuple[Tensor, Tensor, Tensor]:
    """Rows around a direction for each class, their classes, and labels of one row each."""
    generator = torch.Generator().manual_seed(0)
    truth = torch.arange(n) % k
    x = 4 * one_hot(truth, 6).double() + torch.randn(n, 6, generator=generator, dtype=torch.float64)
    return x, truth, torch.where(torch.arange(n) < k, truth, -1)


def even(n: int, k: int) -> Tensor:
    return torch.full((n, k), -math.log(k), dtype=torch.float64)


def loop(
    x: list[list[float]], labels: list[int], prior: list[list[float]], m: int, c: float
) -> list[list[float]]:
    """One round, with the equation's indices."""
    n, d, k = len(x), len(x[0]), len(prior[0])
    center = [sum(row[j] for row in x) / n for j in range(d)]
    f = []
    for row in x:
        moved = [v - mean for v, mean in zip(row, center, strict=True)]
        length = math.sqrt(sum(v * v for v in moved))
        f.append([v / length for v in moved])
    z = [[math.exp(v) for v in row] for row in prior]
    for i, y in enumerate(labels):
        if y >= 0:
            z[i] = [float(a == y) for a in range(k)]
    mass = [sum(z[i][a] for i in range(n)) for a in range(k)]
    mean = [[sum(z[i][a] * f[i][j] for i in range(n)) / mass[a] for j in range(d)] for a in range(k)]
    variance = [
        sum(z[i][a] * (f[i][j] - mean[a][j]) ** 2 for i in range(n) for a in range(k)) / n for j in range(d)
    ]
    result = []
    for i in range(n):
        if labels[i] >= 0:
            result.append([float(a == labels[i]) for a in range(k)])
            continue
        phi = sorted((sum(a * b for a, b in zip(f[i], f[j], strict=True)), j) for j in range(n) if j != i)
        score = []
        for a in range(k):
            log_density = -0.5 * sum((f[i][j] - mean[a][j]) ** 2 / variance[j] for j in range(d))
            heard = sum(max(s, 0.0) * z[j][a] for s, j in phi[-m:])
            score.append(prior[i][a] + c * log_density + heard)
        top = max(score)
        raised = [math.exp(v - top) for v in score]
        result.append([v / sum(raised) for v in raised])
    return result


def test_a_round_is_the_loop() -> None:
    x, _, labels = clusters(n=18)
    prior = torch.randn(18, 3, generator=torch.Generator().manual_seed(1)).double().log_softmax(dim=1)
    found = transductive_mixture(x, labels, prior, neighbors=4, gaussian=0.3, rounds=1)
    expected = loop(x.tolist(), labels.tolist(), prior.tolist(), 4, 0.3)
    torch.testing.assert_close(found, torch.tensor(expected).double())


def test_one_label_a_class_is_enough_for_clusters_apart() -> None:
    x, truth, labels = clusters()
    z = transductive_mixture(x, labels, even(60, 3))
    assert torch.equal(z.argmax(dim=1), truth)
    torch.testing.assert_close(z.sum(dim=1), torch.ones(60).double())


def test_labels_stay_even_where_all_others_contradict_them() -> None:
    x, _, labels = clusters()
    labels[0] = 1
    z = transductive_mixture(x, labels, even(60, 3))
    assert z[0].tolist() == [0.0, 1.0, 0.0]


def test_classes_need_not_be_balanced() -> None:
    x, truth, _ = clusters(n=90)
    kept = torch.cat([(truth == 0).nonzero()[:, 0], (truth > 0).nonzero()[:8, 0]])
    x, truth = x[kept], truth[kept]
    labels = torch.full_like(truth, -1)
    for c in range(3):
        labels[(truth == c).nonzero()[0]] = c
    given = labels >= 0
    weight, bias = fit_linear(x[given], one_hot(labels[given], 3).double())
    z = transductive_mixture(x, labels, (x @ weight.T + bias).log_softmax(dim=1), neighbors=3)
    assert (z.argmax(dim=1) == truth).double().mean() > 0.85
    assert torch.bincount(z.argmax(dim=1), minlength=3).tolist() != [13, 13, 12]


def test_neighbors_are_the_most_similar_other_rows() -> None:
    f = torch.nn.functional.normalize(torch.randn(30, 4, generator=torch.Generator().manual_seed(0)), dim=1)
    similarity, nearest = nearest_neighbors(f, 5)
    for i in range(30):
        order = sorted((j for j in range(30) if j != i), key=lambda j: -float(f[i] @ f[j]))
        assert set(nearest[i].tolist()) == set(order[:5])
    assert (similarity >= 0).all()
