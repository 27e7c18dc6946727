"""The paper's network for texts: token embeddings, parallel convolutions, maximum over positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import adaptive_max_pool2d

FIRST_DEVIATION = 0.1  # standard deviation of random initial embeddings

Convolution = tuple[int, int]  # number of filters, kernel size


@dataclass(frozen=True, kw_only=True)
class TextNetwork:
    """The architecture of a `TextEncoder`: each branch is a sequence of convolutions.

    The default is the appendix's network for AG News: 32@5x100 -> 16@3x1 beside 32@9x100 -> 16@7x1.
    """

    vocabulary: int
    width: int = 100  # of the token embeddings
    branches: tuple[tuple[Convolution, ...], ...] = (((32, 5), (16, 3)), ((32, 9), (16, 7)))
    normalized: bool = False  # batch normalization of the features, not in the paper's network
    dropout: float = 0.0  # of the features during training

    def __post_init__(self) -> None:
        # JSON has lists instead of tuples.
        branches = tuple(tuple((filters, size) for filters, size in branch) for branch in self.branches)
        object.__setattr__(self, "branches", branches)


class TextEncoder(nn.Module):
    """One vector per sequence of token ids or of token embeddings.

    Row 0 of the embedding table is a learned vector for padding. `vectors` are initial values of the table,
    such as pretrained word vectors.
    """

    def __init__(
        self, network: TextNetwork, vectors: Float[Tensor, "vocabulary width"] | None = None
    ) -> None:
        super().__init__()
        self.network = network
        shape = network.vocabulary, network.width
        if vectors is not None and vectors.shape != shape:
            raise ValueError(f"vectors have shape {tuple(vectors.shape)}, but the network needs {shape}")
        self.embedding = nn.Embedding(*shape)
        with torch.no_grad():
            if vectors is None:
                self.embedding.weight.mul_(FIRST_DEVIATION)
            else:
                self.embedding.weight.copy_(vectors)
        self.branches = nn.ModuleList(_branch(network.width, branch) for branch in network.branches)
        width = sum(branch[-1][0] for branch in network.branches)
        self.normalize = nn.BatchNorm1d(width) if network.normalized else nn.Identity()
        self.dropout = nn.Dropout(network.dropout)

    def forward(self, x: Int[Tensor, "n length"] | Float[Tensor, "n length width"]) -> Float[Tensor, "n d"]:
        """The maximum activation of every filter in each branch."""
        vectors = x if x.is_floating_point() else self.embedding(x)
        # As images of height 1 with the embedding entries as channels: twice as fast as Conv1d.
        line = vectors.transpose(1, 2)[:, :, None]  # (n, width, 1, length)
        largest = [adaptive_max_pool2d(branch(line), 1).flatten(1) for branch in self.branches]
        features: Tensor = self.dropout(self.normalize(torch.cat(largest, dim=1)))
        return features


def embedding_table(encoder: nn.Module) -> Float[Tensor, "vocabulary width"]:
    """The token embeddings in the encoder's attribute `embedding`."""
    table = getattr(encoder, "embedding", None)
    if not isinstance(table, nn.Embedding):
        raise ValueError(
            f"{type(encoder).__name__} has no attribute `embedding` (nn.Embedding) for this augmentation; "
            "use another encoder, or an augmentation of token ids"
        )
    return table.weight


def _branch(width: int, convolutions: Sequence[Convolution]) -> nn.Sequential:
    """Convolutions with GELU and zero padding, so that sequences may be shorter than a kernel."""
    layers: list[nn.Module] = []
    widths = (width, *(filters for filters, _ in convolutions))
    for (before, after), (_, size) in zip(pairwise(widths), convolutions, strict=True):
        layers += [nn.Conv2d(before, after, (1, size), padding=(0, size // 2)), nn.GELU()]
    return nn.Sequential(*layers)
