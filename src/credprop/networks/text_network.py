"""The paper's network for texts: vectors of tokens, convolutions side by side, a maximum over all places."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.functional import adaptive_max_pool2d

FIRST_DEVIATION = 0.1  # of the entries of random vectors

Convolution = tuple[int, int]  # filters, and how many places each of them sees


@dataclass(frozen=True, kw_only=True)
class TextNetwork:
    """What it takes to build a `TextEncoder`: a branch is a sequence of convolutions, one after the other.

    The default is the appendix's network for AG News: 32@5x100 -> 16@3x1 beside 32@9x100 -> 16@7x1.
    """

    vocabulary: int
    width: int = 100  # of the vectors of tokens
    branches: tuple[tuple[Convolution, ...], ...] = (((32, 5), (16, 3)), ((32, 9), (16, 7)))
    normalized: bool = False  # batch normalization of the features, which the paper's network does without
    dropout: float = 0.0  # share of the features that are dropped while it learns

    def __post_init__(self) -> None:
        # Out of JSON come lists.
        branches = tuple(tuple((filters, size) for filters, size in branch) for branch in self.branches)
        object.__setattr__(self, "branches", branches)


class TextEncoder(nn.Module):
    """One vector for each sequence of token ids, or of vectors that were looked up before.

    The table holds a learned vector for padding, in row 0. Its first values may be vectors that were learned
    elsewhere.
    """

    def __init__(
        self, network: TextNetwork, vectors: Float[Tensor, "vocabulary width"] | None = None
    ) -> None:
        super().__init__()
        self.network = network
        shape = network.vocabulary, network.width
        if vectors is not None and vectors.shape != shape:
            raise ValueError(f"vectors are {tuple(vectors.shape)}; the network takes {shape}")
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
        """The largest activation of every filter, branch by branch."""
        vectors = x if x.is_floating_point() else self.embedding(x)
        # As pictures of one line whose channels are the vectors' entries: twice as fast as Conv1d.
        line = vectors.transpose(1, 2)[:, :, None]  # (n, width, 1, length)
        largest = [adaptive_max_pool2d(branch(line), 1).flatten(1) for branch in self.branches]
        features: Tensor = self.dropout(self.normalize(torch.cat(largest, dim=1)))
        return features


def embedding_table(encoder: nn.Module) -> Float[Tensor, "vocabulary width"]:
    """The vectors of all tokens, which are the encoder's `embedding`."""
    table = getattr(encoder, "embedding", None)
    if not isinstance(table, nn.Embedding):
        raise ValueError(
            f"{type(encoder).__name__} has no `embedding` (nn.Embedding) for this augmentation; choose "
            "another encoder, or an augmentation of token ids"
        )
    return table.weight


def _branch(width: int, convolutions: Sequence[Convolution]) -> nn.Sequential:
    """Convolutions, each with GELU; they see zeros around a sequence, which may be shorter than they."""
    layers: list[nn.Module] = []
    widths = (width, *(filters for filters, _ in convolutions))
    for (before, after), (_, size) in zip(pairwise(widths), convolutions, strict=True):
        layers += [nn.Conv2d(before, after, (1, size), padding=(0, size // 2)), nn.GELU()]
    return nn.Sequential(*layers)
