"""The text network is the paper's, compared with plain loops."""

import json
import math
from dataclasses import asdict

import pytest
import torch
from torch import Tensor, nn

from credprop.networks import TextEncoder, TextNetwork, build_encoder, embedding_table

SMALL = TextNetwork(vocabulary=11, width=4, branches=(((3, 2), (2, 3)), ((2, 5),), ((5, 1),)))


def encoder(network: TextNetwork = SMALL) -> TextEncoder:
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return TextEncoder(network).double().eval()


def gelu(value: float) -> float:
    return value * (1 + math.erf(value / math.sqrt(2))) / 2


def convolved(sequence: list[list[float]], layer: nn.Conv2d) -> list[list[float]]:
    """The sequence, a vector a place, as filters see it with zeros around it."""
    weight, bias = layer.weight.tolist(), (layer.bias.tolist() if layer.bias is not None else [])
    size = layer.kernel_size[1]
    before = size // 2
    result = []
    for place in range(len(sequence) + 2 * before - size + 1):
        filters = []
        for f, offset in enumerate(bias):
            total = offset
            for j in range(size):
                if 0 <= place + j - before < len(sequence):
                    seen = sequence[place + j - before]
                    total += sum(v * weight[f][c][0][j] for c, v in enumerate(seen))
            filters.append(gelu(total))
        result.append(filters)
    return result


def oracle(network: TextEncoder, ids: list[int]) -> list[float]:
    table, features = network.embedding.weight.tolist(), []
    for branch in network.branches:
        assert isinstance(branch, nn.Sequential)
        sequence = [table[i] for i in ids]
        for layer in branch:
            if isinstance(layer, nn.Conv2d):
                sequence = convolved(sequence, layer)
        features += [max(filters) for filters in zip(*sequence, strict=True)]
    return features


@pytest.mark.parametrize("length", [1, 2, 7])
def test_the_network_is_a_plain_loop(length: int) -> None:
    network = encoder()
    ids = torch.randint(0, 11, (4, length), generator=torch.Generator().manual_seed(1))
    ids[0] = 0  # nothing but padding
    expected = torch.tensor([oracle(network, row) for row in ids.tolist()], dtype=torch.float64)
    assert torch.allclose(network(ids), expected, atol=1e-12)
    assert expected.shape == (4, 9)


def test_ids_and_the_vectors_looked_up_for_them_are_the_same() -> None:
    network, ids = encoder(), torch.tensor([[1, 2, 3, 0], [4, 0, 0, 0]])
    assert torch.equal(network(ids), network(network.embedding(ids)))


def test_the_padding_vector_is_learned() -> None:
    network = encoder()
    network(torch.tensor([[3, 0, 0]])).sum().backward()
    gradient = network.embedding.weight.grad
    assert gradient is not None
    assert gradient[0].abs().sum() > 0
    assert not gradient[5].any()


def test_the_default_is_the_papers_network_for_ag_news() -> None:
    convolutions = [m for m in TextEncoder(TextNetwork(vocabulary=9)).modules() if isinstance(m, nn.Conv2d)]
    sizes = [(m.out_channels, m.kernel_size[1], m.in_channels) for m in convolutions]
    assert sizes == [(32, 5, 100), (16, 3, 32), (32, 9, 100), (16, 7, 32)]
    assert build_encoder(TextNetwork(vocabulary=9), torch.zeros(2, 6, dtype=torch.long))[1] == 32


def test_vectors_learned_elsewhere_are_the_first_values() -> None:
    vectors = torch.arange(44.0).view(11, 4)
    own = TextEncoder(SMALL, vectors)
    assert torch.equal(own.embedding.weight, vectors)
    assert embedding_table(own) is own.embedding.weight
    with pytest.raises(ValueError, match=r"vectors have shape \(11, 3\), but the network needs \(11, 4\)"):
        TextEncoder(SMALL, vectors[:, :3])


def test_a_description_survives_json() -> None:
    assert TextNetwork(**json.loads(json.dumps(asdict(SMALL)))) == SMALL
    assert hash(TextNetwork(**json.loads(json.dumps(asdict(SMALL))))) == hash(SMALL)


def test_an_encoder_without_a_table_cannot_serve_a_transform_of_vectors() -> None:
    class Own(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.embedding = nn.Embedding(5, 2)

        def forward(self, x: Tensor) -> Tensor:
            return self.embedding(x).mean(dim=1)  # type: ignore[no-any-return]

    own = Own()
    assert embedding_table(own) is own.embedding.weight
    with pytest.raises(ValueError, match="Linear has no attribute `embedding`"):
        embedding_table(nn.Linear(2, 2))


def test_features_are_normalized_over_the_batch_where_asked() -> None:
    ids = torch.randint(1, 11, (30, 6), generator=torch.Generator().manual_seed(2))
    plain = encoder()
    normalized = encoder(TextNetwork(vocabulary=11, width=4, branches=SMALL.branches, normalized=True))
    features, given = normalized.train()(ids), plain(ids)
    expected = (given - given.mean(dim=0)) / (given.var(dim=0, correction=0) + 1e-5).sqrt()
    assert torch.allclose(features, expected, atol=1e-9)
