"""Several networks as one: the mean of their probabilities, each at its temperature."""

from collections.abc import Mapping

import torch
from jaxtyping import Float, Num
from torch import Tensor, nn

from credprop.networks.model import Model


class Blend(nn.Module):
    """Members by name, their temperatures and weights; from raw rows to log-probabilities.

    `placing` names the member whose encoder places rows.
    """

    temperature: Tensor
    weights: Tensor

    def __init__(
        self,
        members: Mapping[str, Model],
        temperature: Float[Tensor, " m"],
        weights: Float[Tensor, " m"],
        placing: str,
    ) -> None:
        super().__init__()
        self.name_of_placing = placing
        self.members = nn.ModuleDict(members)
        self.register_buffer("temperature", temperature.double())
        self.register_buffer("weights", weights.double() / weights.double().sum())

    @classmethod
    def of_one(cls, name: str, member: Model) -> "Blend":
        """A single member as it is."""
        return cls({name: member}, torch.ones(1), torch.ones(1), name)

    @property
    def placing(self) -> Model:
        """The member whose encoder places rows, for distances between them."""
        member = self.members[self.name_of_placing]
        assert isinstance(member, Model)
        return member

    def standardize(self, x: Num[Tensor, "n ..."]) -> Num[Tensor, "n ..."]:
        """Rows as they are: each member standardizes them by itself."""
        return x

    def forward(self, x: Num[Tensor, "n ..."]) -> Float[Tensor, "n k"]:
        """Log-probabilities of raw rows."""
        terms = []
        for member, t, w in zip(self.members.values(), self.temperature, self.weights, strict=True):
            assert isinstance(member, Model)
            terms.append((member(member.standardize(x)).double() / t).log_softmax(dim=1) + w.log())
        return torch.stack(terms).logsumexp(dim=0)

    @property
    def weight_of(self) -> dict[str, float]:
        """The weight of each member."""
        return dict(zip(self.members, self.weights.tolist(), strict=True))
