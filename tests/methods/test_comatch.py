"""CoMatch: its graph and its contrast as plain loops, and what is left of them in the limits."""

import math

import torch
from torch.nn.functional import cross_entropy, normalize

from credprop.methods import Batch
from credprop.methods.alignment import align
from credprop.methods.comatch import CoMatch, graph_contrast, pseudo_label_graph, recall
from credprop.methods.fixmatch import confident
from credprop.networks import Model


def test_the_graph_as_plain_loops() -> None:
    p = (2 * torch.randn(6, 3, generator=torch.Generator().manual_seed(0))).softmax(dim=1)
    graph = pseudo_label_graph(p, threshold=0.3)
    for i in range(6):
        weights = []
        for j in range(6):
            agreement = sum(a * b for a, b in zip(p[i].tolist(), p[j].tolist(), strict=True))
            weights.append(1.0 if i == j else agreement * (agreement >= 0.3))
        torch.testing.assert_close(graph[i], torch.tensor(weights) / sum(weights))


def test_samples_that_agree_with_no_other_have_only_a_self_loop() -> None:
    assert torch.equal(pseudo_label_graph(torch.full((4, 3), 1 / 3), threshold=0.8), torch.eye(4))


def test_samples_sure_of_one_class_are_joined_with_equal_weight() -> None:
    p = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    expected = torch.tensor([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    torch.testing.assert_close(pseudo_label_graph(p, threshold=0.8), expected)


def test_with_an_identity_graph_the_contrast_tells_each_sample_from_the_others() -> None:
    """InfoNCE: cross-entropy with the sample's other view as the class."""
    similarity = torch.randn(7, 7, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(
        graph_contrast(similarity, torch.eye(7)), cross_entropy(similarity, torch.arange(7), reduction="none")
    )


def test_the_contrast_as_plain_loops() -> None:
    generator = torch.Generator().manual_seed(0)
    similarity, graph = torch.randn(5, 5, generator=generator), torch.rand(5, 5, generator=generator)
    loss = graph_contrast(similarity, graph)
    for i in range(5):
        normalizer = sum(math.exp(s) for s in similarity[i].tolist())
        terms = [
            -w * math.log(math.exp(s) / normalizer)
            for s, w in zip(similarity[i].tolist(), graph[i].tolist(), strict=True)
        ]
        assert abs(loss[i].item() - sum(terms)) < 1e-5


def test_the_contrast_is_least_where_both_graphs_are_one() -> None:
    graph = torch.rand(6, 6, generator=torch.Generator().manual_seed(0)).softmax(dim=1)
    least = graph_contrast(graph.log(), graph)
    torch.testing.assert_close(least, -(graph * graph.log()).sum(dim=1))
    assert (graph_contrast(graph.log() + torch.randn(6, 6), graph) > least).all()


def test_the_memory_recalls_the_labels_of_what_is_similar() -> None:
    embeddings, labels = 50 * torch.eye(2), torch.tensor([[1.0, 0.0], [0.3, 0.7]])
    torch.testing.assert_close(recall(torch.eye(2), embeddings, labels), labels)
    torch.testing.assert_close(recall(torch.ones(1, 2), embeddings, labels), torch.tensor([[0.65, 0.35]]))


def test_recalling_a_few_rows_at_a_time_is_the_whole_product() -> None:
    generator = torch.Generator().manual_seed(0)
    z, embeddings = torch.randn(150, 4, generator=generator), torch.randn(30, 4, generator=generator)
    labels = torch.rand(30, 3, generator=generator)
    torch.testing.assert_close(recall(z, embeddings, labels), (z @ embeddings.T).softmax(dim=1) @ labels)


def test_without_memory_and_graph_it_is_fixmatch_with_soft_labels_and_equal_classes(
    model: Model, batch: Batch
) -> None:
    losses = CoMatch(threshold=0.4, graph_threshold=1.1)(model, batch)
    p = model(batch.u).softmax(dim=1).detach()
    p = align(p, torch.full((3,), 1 / 3), p.mean(dim=0))
    per_sample = cross_entropy(model(1.5 * batch.u), p, reduction="none") * (p.amax(dim=1) >= 0.4)
    torch.testing.assert_close(losses["unsupervised"], per_sample.mean())
    z = normalize(model.project(1.5 * batch.u), dim=1)
    torch.testing.assert_close(losses["contrastive"], cross_entropy(z @ z.T / 0.2, torch.arange(12)))


def test_the_memory_holds_the_last_five_batches_and_is_used_once_it_is_full(
    model: Model, batch: Batch
) -> None:
    method = CoMatch(own=0.5, threshold=0.4)
    with torch.no_grad():
        for count in range(7):
            assert len(method.memory) == min(count, 5)
            method(model, batch)
        embeddings, labels = method.memory[-1]
        assert embeddings.shape == (20, 6)
        assert torch.equal(labels[12:], torch.eye(3)[batch.y])  # labeled rows with their labels
        b = model.encoder(batch.u)
        mean = method.marginal.mean()
        own = align(model.classifier(b).softmax(dim=1), torch.full((3,), 1 / 3), mean)
        z = normalize(model.projector(b), dim=1)
        stored = [torch.cat(part) for part in zip(*method.memory, strict=True)]
        expected = 0.5 * own + 0.5 * recall(z / 0.2, *stored)
        assert torch.equal(method.guess(model, b), confident(expected, 0.4))
