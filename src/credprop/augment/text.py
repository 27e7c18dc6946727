"""The paper's augmentations of token sequences: noise on embeddings; tokens hidden, replaced or moved."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import embedding

Range = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Embedded:
    """Token ids with their embedding table; row 0 is the padding vector."""

    ids: Int[Tensor, "n length"]
    table: Float[Tensor, "vocabulary width"]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def padding(self) -> Bool[Tensor, "n length"]:
        """Which positions are padding."""
        return self.ids == 0

    @property
    def vectors(self) -> Float[Tensor, "n length width"]:
        """The token embeddings; gradients flow to the table."""
        return embedding(self.ids, self.table)


@dataclass(frozen=True, kw_only=True)
class TextAugment:
    """Appendix of the paper: one of six augmentations, drawn for each sequence.

    "privacy" adds Laplace noise of scale 1 / epsilon and "noise" Gaussian noise to all embeddings. "hide"
    replaces some tokens by the padding vector, "replace" by random tokens of the vocabulary. "swap" cuts the
    sequence in two and exchanges the parts; "scramble" permutes some tokens. Strengths and shares are drawn
    between their bounds for each sequence; shares are of the tokens that are not padding. Padding is never
    changed.
    """

    takes_vectors: ClassVar[bool] = True

    epsilon: Range = (10.0, 100.0)
    mean: Range = (-0.5, 0.5)
    deviation: Range = (0.01, 0.05)
    share: Range = (0.1, 0.25)
    kinds: tuple[str, ...] = ("privacy", "noise", "hide", "swap", "replace", "scramble")

    def __post_init__(self) -> None:
        known = [*_NOISE, *_MOVES]
        if not self.kinds or set(self.kinds) - set(known):
            raise ValueError(f"kinds of text augmentation are {self.kinds}; use some of {', '.join(known)}")

    def weaker(self) -> "TextAugment":
        """The same kinds with half the noise and half the shares."""
        return TextAugment(
            epsilon=(2 * self.epsilon[0], 2 * self.epsilon[1]),
            mean=_half(self.mean),
            deviation=_half(self.deviation),
            share=_half(self.share),
            kinds=self.kinds,
        )

    def __call__(self, x: Embedded, generator: torch.Generator) -> Float[Tensor, "n length width"]:
        """The embeddings of the augmented sequences."""
        drawn = torch.randint(len(self.kinds), (len(x),), generator=generator)
        rows = [(drawn == i).nonzero()[:, 0].to(x.ids.device) for i in range(len(self.kinds))]
        chosen = [Embedded(x.ids[which], x.table) for which in rows]
        # Moving tokens before the lookup gives the same result as moving embeddings, and is cheaper.
        ids = x.ids
        for kind, which, sequences in zip(self.kinds, rows, chosen, strict=True):
            if kind in _MOVES:
                ids = ids.index_copy(0, which, _MOVES[kind](self, sequences, generator))
        vectors = embedding(ids, x.table)
        for kind, which, sequences in zip(self.kinds, rows, chosen, strict=True):
            if kind in _NOISE:
                shape = torch.Size([*sequences.ids.shape, x.table.shape[1]])
                noise = _NOISE[kind](self, shape, generator).to(vectors.device, vectors.dtype)
                vectors.index_add_(0, which, noise.masked_fill_(sequences.padding[:, :, None], 0))
        return vectors


@dataclass(frozen=True, kw_only=True)
class HideTokens:
    """Replace a random share of tokens by padding: for encoders that take token ids."""

    share: Range = (0.5, 0.8)

    def weaker(self) -> "HideTokens":
        """The same with half the share."""
        return HideTokens(share=_half(self.share))

    def __call__(self, ids: Int[Tensor, "n length"], generator: torch.Generator) -> Int[Tensor, "n length"]:
        """The ids with some tokens hidden."""
        return _hide(TextAugment(share=self.share), Embedded(ids, torch.empty(0, 0)), generator)


def _half(bounds: Range) -> Range:
    return bounds[0] / 2, bounds[1] / 2


def _uniform(bounds: Range, n: int, generator: torch.Generator) -> Float[Tensor, " n"]:
    return bounds[0] + (bounds[1] - bounds[0]) * torch.rand(n, generator=generator)


def _privacy(
    augment: TextAugment, shape: torch.Size, generator: torch.Generator
) -> Float[Tensor, "n length width"]:
    """Laplace noise: the difference of two exponential draws."""
    scale = 1 / _uniform(augment.epsilon, shape[0], generator)
    up, down = (torch.empty(shape).exponential_(generator=generator) for _ in range(2))
    return up.sub_(down).mul_(scale[:, None, None])


def _noise(
    augment: TextAugment, shape: torch.Size, generator: torch.Generator
) -> Float[Tensor, "n length width"]:
    mean = _uniform(augment.mean, shape[0], generator)
    deviation = _uniform(augment.deviation, shape[0], generator)
    return mean[:, None, None] + deviation[:, None, None] * torch.randn(shape, generator=generator)


def _hide(augment: TextAugment, x: Embedded, generator: torch.Generator) -> Int[Tensor, "n length"]:
    place, count = _draw_positions(augment, x, generator)
    return x.ids.masked_fill(_marked(place, count), 0)


def _replace(augment: TextAugment, x: Embedded, generator: torch.Generator) -> Int[Tensor, "n length"]:
    place, count = _draw_positions(augment, x, generator)
    other = torch.randint(1, len(x.table), x.ids.shape, generator=generator).to(x.ids.device)
    return torch.where(_marked(place, count), other, x.ids)


def _swap(augment: TextAugment, x: Embedded, generator: torch.Generator) -> Int[Tensor, "n length"]:
    """The part after a random position, then the part before it."""
    tokens = (~x.padding).sum(dim=1, keepdim=True)  # (n, 1)
    draw = torch.rand(len(x), 1, generator=generator).to(x.ids.device)
    cut = 1 + (draw * (tokens - 1).clamp(min=0)).long()
    place = torch.arange(x.ids.shape[1], device=x.ids.device)
    return x.ids.gather(1, torch.where(place < tokens, (place + cut) % tokens.clamp(min=1), place))


def _scramble(augment: TextAugment, x: Embedded, generator: torch.Generator) -> Int[Tensor, "n length"]:
    """A cyclic permutation of some random tokens."""
    place, count = _draw_positions(augment, x, generator)
    rank = torch.arange(x.ids.shape[1], device=x.ids.device)
    last = count[:, None] - 1
    following = torch.where(rank < last, rank + 1, torch.where(rank == last, 0, rank))  # (n, length)
    return x.ids.scatter(1, place, x.ids.gather(1, place.gather(1, following)))


def _draw_positions(
    augment: TextAugment, x: Embedded, generator: torch.Generator
) -> tuple[Int[Tensor, "n length"], Int[Tensor, " n"]]:
    """All positions in random order with padding last, and how many of them are drawn."""
    share = _uniform(augment.share, len(x), generator).to(x.ids.device)
    key = torch.rand(x.ids.shape, generator=generator).to(x.ids.device)
    place = key.masked_fill_(x.padding, 2.0).argsort(dim=1)
    return place, (share * (~x.padding).sum(dim=1)).round().long()


def _marked(place: Int[Tensor, "n length"], count: Int[Tensor, " n"]) -> Bool[Tensor, "n length"]:
    """A mask of the first `count` positions."""
    among = torch.arange(place.shape[1], device=place.device) < count[:, None]
    return torch.zeros_like(among).scatter(1, place, among)


_NOISE: dict[str, Callable[[TextAugment, torch.Size, torch.Generator], Tensor]] = {
    "privacy": _privacy,
    "noise": _noise,
}
_MOVES: dict[str, Callable[[TextAugment, Embedded, torch.Generator], Tensor]] = {
    "hide": _hide,
    "swap": _swap,
    "replace": _replace,
    "scramble": _scramble,
}
