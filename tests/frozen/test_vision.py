"""Custom networks as image encoders."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

from credprop.frozen import choose_frozen
from frozen.vits import images


@pytest.fixture(scope="module")
def lite() -> Any:
    return choose_frozen("pretrained")


class Means(nn.Module):
    """The mean of every channel, times a number that is no parameter."""

    def __init__(self, times: float) -> None:
        super().__init__()
        self.times = times
        self.dropout = nn.Dropout(0.5)

    def forward(self, x: Tensor) -> Tensor:
        kept: Tensor = self.dropout(x)
        return kept.mean(dim=(2, 3)) * self.times


def test_a_custom_module_gets_unchanged_images_and_is_not_trained() -> None:
    module = Means(2)
    frozen = choose_frozen(module)
    rows = images(channels=4)
    assert abs(frozen.encode(rows) - 2 * (rows / 255).mean(axis=(1, 2))).max() < 1e-6
    assert module.training
    assert frozen.encode(images(channels=1)).shape == (3, 1)


def test_a_module_s_name_tells_its_weights_and_its_identity_everything_else() -> None:
    torch.manual_seed(0)
    one, other = (nn.Sequential(nn.Flatten(), nn.Linear(12, 2), nn.ReLU()) for _ in range(2))
    first = choose_frozen(one)
    assert first.name.startswith("module:torch.nn.modules.container.Sequential:")
    assert choose_frozen(one).name == first.name
    assert choose_frozen(one).identity == first.identity
    assert choose_frozen(other).name != first.name
    bent = nn.Sequential(one[0], one[1], nn.Tanh())
    assert choose_frozen(bent).name == first.name
    assert choose_frozen(bent).identity != first.identity
    assert choose_frozen(Means(2)).identity != choose_frozen(Means(3)).identity
    assert choose_frozen(Means(2)).identity == choose_frozen(Means(2)).identity
    hidden: dict[str, Any] = {}
    exec("from torch import nn\nclass Hidden(nn.Identity): pass", hidden)  # a class without a source
    unseen = hidden["Hidden"]()
    assert choose_frozen(unseen).identity != choose_frozen(unseen).identity
    with pytest.raises(ValueError, match=r"pass the nn\.Module itself"):
        choose_frozen(first.name)


def test_a_module_that_gives_no_vectors_is_refused() -> None:
    with pytest.raises(ValueError, match="one vector per image"):
        choose_frozen(nn.Identity()).encode(images())
