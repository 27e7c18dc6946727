"""Networks that can give other vectors have other digests, equal ones the same."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from credprop.frozen.weights_hash import digest_module, digest_weights


class Holder(nn.Module):
    """A network with an attribute."""

    def __init__(self, held: Any = None, name: str = "held") -> None:
        super().__init__()
        setattr(self, name, held)

    def forward(self, x: Tensor) -> Tensor:
        return x


class Plain:
    """Something whose text tells nothing but where it lies."""

    def __init__(self, value: Any) -> None:
        self.value = value


@dataclass(frozen=True)
class Settings:
    """Settings whose text shortens an array."""

    mean: Any


def buffered(value: float) -> nn.Module:
    module = nn.Identity()
    module.register_buffer("scale", torch.tensor(value), persistent=False)
    return module


def hooked(hook: Callable[..., Any]) -> nn.Module:
    module = nn.Identity()
    module.register_forward_hook(hook)
    return module


def long(last: float) -> Tensor:
    """So many values that their text leaves out those in the middle."""
    values = torch.zeros(5000)
    values[2500] = last
    return values


def weighted(weight: float) -> nn.Linear:
    linear = nn.Linear(1, 1, bias=False)
    nn.init.constant_(linear.weight, weight)
    return linear


def double(*x: Tensor) -> Tensor:
    return x[-1] * 2


def triple(*x: Tensor) -> Tensor:
    return x[-1] * 3


NAMELESS = {
    2: lambda x: x * 2,
    3: lambda x: x * 3,
}
MAKERS: dict[str, Callable[[int], nn.Module]] = {
    "hidden attribute": lambda value: Holder(value, "_times"),
    "buffer that is not saved": buffered,
    "tensor": lambda value: Holder(long(value)),
    "array": lambda value: Holder(long(value).numpy()),
    "array of objects": lambda value: Holder(np.array([value, None])),
    "tensors in containers": lambda value: Holder({"a": [(long(value),)]}),
    "settings": lambda value: Holder(Settings(long(value).numpy())),
    "object": lambda value: Holder(Plain(long(value))),
    "network in a list": lambda value: Holder([weighted(value)]),
    "function": lambda value: Holder({2: double, 3: triple}[value]),
    "function without a name": lambda value: Holder(NAMELESS[value]),
    "function that runs afterwards": lambda value: hooked({2: double, 3: triple}[value]),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_what_the_output_can_depend_on_is_seen(make: Callable[[int], nn.Module]) -> None:
    assert digest_module(make(2)) == digest_module(make(2))
    assert digest_module(make(2)) != digest_module(make(3))


def test_a_part_that_comes_twice_is_seen_twice() -> None:
    bend, linear = nn.Tanh(), weighted(2)
    assert digest_module(nn.Sequential(bend, linear)) != digest_module(nn.Sequential(bend, linear, bend))
    assert digest_weights(nn.Sequential(linear)) != digest_weights(nn.Sequential(linear, linear))


def test_a_buffer_that_is_not_saved_is_a_weight() -> None:
    assert digest_weights(buffered(2)) == digest_weights(buffered(2))
    assert digest_weights(buffered(2)) != digest_weights(buffered(3))


def test_the_order_of_a_set_does_not_matter() -> None:
    assert digest_module(Holder({8, 0})) == digest_module(Holder({0, 8}))


def test_a_module_that_refers_to_its_parent_is_described() -> None:
    def owned() -> nn.Module:
        part = Holder()
        owner = nn.Sequential(part)
        part._owner = [owner, part]  # type: ignore[assignment]
        return owner

    assert digest_module(owned()) == digest_module(owned())
