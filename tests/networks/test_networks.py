"""Encoders of the right size, and any module in their place."""

import pytest
import torch
from torch import Tensor, nn

from credprop.networks import ENCODERS, build_encoder, build_model, small_resnet, wide_resnet


def parameters(module: nn.Module) -> int:
    return sum(p.numel() for p in module.parameters())


@pytest.mark.parametrize(("widen", "width", "millions"), [(2, 128, 1.5), (8, 512, 23.4)])
def test_wide_residual_networks_have_the_published_size(widen: int, width: int, millions: float) -> None:
    network = wide_resnet(28, widen)
    assert sum(isinstance(m, nn.Conv2d) and m.kernel_size == (3, 3) for m in network.modules()) == 25
    head = 100 * (width + 1)  # a linear classifier of 100 classes, counted in the published sizes
    assert round((parameters(network) + head) / 1e6, 1) == millions
    if widen == 2:
        assert network(torch.zeros(2, 3, 32, 32)).shape == (2, width)


def test_small_network_is_small_and_takes_gray_pictures() -> None:
    assert parameters(small_resnet()) < 350_000
    assert small_resnet(1)(torch.zeros(2, 1, 28, 28)).shape == (2, 128)


@pytest.mark.parametrize("name", [name for name in ENCODERS if name != "wrn-28-8"])
def test_encoders_by_name_say_how_wide_they_are(name: str) -> None:
    sample = torch.zeros(2, 20) if name == "mlp" else torch.zeros(2, 3, 16, 16)
    encoder, width = build_encoder(name, sample)
    assert encoder(sample).shape == (2, width)


def test_a_module_of_the_users_is_copied_and_measured() -> None:
    own = nn.Sequential(nn.Flatten(), nn.Linear(12, 7), nn.Dropout(0.5))
    encoder, width = build_encoder(own, torch.zeros(2, 3, 2, 2))
    assert width == 7
    assert encoder is not own
    assert torch.equal(next(own.parameters()), next(encoder.parameters()))


def test_an_unknown_name_and_an_encoder_of_pictures_are_refused() -> None:
    with pytest.raises(ValueError, match="no encoder is named 'mpl'; there are mlp"):
        build_encoder("mpl", torch.zeros(2, 4))
    with pytest.raises(ValueError, match=r"into \(2, 4, 3, 3\); it must give one vector a sample"):
        build_encoder(nn.Conv2d(3, 4, 1), torch.zeros(2, 3, 3, 3))


def test_heads_have_the_asked_widths_and_share_one_pass_of_the_encoder() -> None:
    sample = torch.randn(4, 6)
    model = build_model("mlp", sample, k=3, projector=(64, 32), classifier=(64,)).eval()
    z, logits = model.both(sample)
    assert z.shape == (4, 32)
    assert logits.shape == (4, 3)
    assert torch.equal(z, model.project(sample))
    assert torch.equal(logits, model(sample))
    assert [m.out_features for m in model.classifier.modules() if isinstance(m, nn.Linear)] == [64, 3]


def test_inputs_are_standardized_with_the_scale_of_the_data() -> None:
    x = torch.tensor([[1.0, 10.0], [3.0, 10.0]])
    model = build_model("mlp", x, k=2, scale=(torch.tensor([2.0, 10.0]), torch.tensor([0.5, 1.0])))
    expected: Tensor = torch.tensor([[-2.0, 0.0], [2.0, 0.0]])
    assert torch.equal(model.standardize(x), expected)
