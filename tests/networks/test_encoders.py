"""Encoders by name, or any module."""

import pytest
import torch
from torch import nn

from credprop.networks import ENCODERS, build_encoder


@pytest.mark.parametrize("name", [name for name in ENCODERS if name != "wrn-28-8"])
def test_encoders_by_name_say_how_wide_they_are(name: str) -> None:
    sample = torch.zeros(2, 20) if name == "mlp" else torch.zeros(2, 3, 16, 16)
    encoder, width = build_encoder(name, sample)
    assert encoder(sample).shape == (2, width)


def test_a_custom_module_is_copied_and_measured() -> None:
    own = nn.Sequential(nn.Flatten(), nn.Linear(12, 7), nn.Dropout(0.5))
    encoder, width = build_encoder(own, torch.zeros(2, 3, 2, 2))
    assert width == 7
    assert encoder is not own
    assert torch.equal(next(own.parameters()), next(encoder.parameters()))


def test_an_unknown_name_and_an_encoder_of_images_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown encoder 'mpl'; use one of mlp"):
        build_encoder("mpl", torch.zeros(2, 4))
    with pytest.raises(ValueError, match=r"to \(2, 4, 3, 3\); it must return one vector per sample"):
        build_encoder(nn.Conv2d(3, 4, 1), torch.zeros(2, 3, 3, 3))
