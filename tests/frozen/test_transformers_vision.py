"""Vision models of transformers as image encoders."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from credprop.frozen import choose_frozen
from credprop.frozen.transformers_vision import VisionModel
from credprop.frozen.vision import ImageEncoder
from frozen.vits import SETTINGS, images, on_hub, tiny_classifier, tiny_text, tiny_vit


def test_code_that_comes_with_a_model_is_not_run(tmp_path: Path) -> None:
    folder = tiny_vit(tmp_path / "vit")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "bomb", "auto_map": {"AutoConfig": "bomb.Bomb", "AutoModel": "bomb.Bomb"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "bomb.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Bomb: pass\n")
    with pytest.raises(ValueError, match="cannot be loaded"):
        choose_frozen(f"pretrained:{folder}").encode(images())
    assert not (tmp_path / "ran").exists()


def direct(folder: Path, rows: np.ndarray) -> Any:
    """What transformers gives for images of the right size, normalized by hand."""
    from transformers import AutoModel

    from credprop.frozen.silence import silenced

    x = (rows / 255 - np.array(SETTINGS["image_mean"])) / np.array(SETTINGS["image_std"])
    with silenced(), torch.no_grad():
        return AutoModel.from_pretrained(folder).eval()(torch.tensor(x).permute(0, 3, 1, 2).float())


def test_a_model_of_transformers_gives_what_it_pools(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_vit(tmp_path / "vit")
    capfd.readouterr()
    frozen = choose_frozen(f"pretrained:{folder}")
    got = frozen.encode(images())
    assert capfd.readouterr() == ("", "")
    assert frozen.name == f"pretrained:{folder.resolve()}"
    assert abs(got - direct(folder, images()).pooler_output.numpy()).max() < 1e-5
    assert frozen.encode(images(size=40, channels=1)).shape == (3, 8)


def test_a_pooling_layer_without_weights_is_not_used(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path / "vit")
    expected = direct(folder, images()).last_hidden_state.mean(dim=1).numpy()
    assert abs(choose_frozen(f"pretrained:{folder}").encode(images()) - expected).max() < 1e-5


def test_weights_that_lack_more_than_the_pooling_layer_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    file = tiny_vit(tmp_path / "vit") / "model.safetensors"
    weights = load_file(file)
    save_file({k: v for k, v in weights.items() if k != "layernorm.weight"}, file, {"format": "pt"})
    with pytest.raises(ValueError, match=r"the weights lack layernorm\.weight"):
        choose_frozen(f"pretrained:{file.parent}").encode(images())


def test_the_half_for_images_is_taken_of_a_model_that_has_one_for_text_too(tmp_path: Path) -> None:
    from transformers import CLIPConfig, CLIPModel

    from credprop.frozen.silence import silenced

    tiny = {"hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    vision = {**tiny, "image_size": 16, "patch_size": 8}
    config = CLIPConfig(text_config={**tiny, "vocab_size": 9}, vision_config=vision, projection_dim=4)
    model = CLIPModel(config).eval()
    with silenced():
        model.save_pretrained(tmp_path / "clip")
    (tmp_path / "clip" / "processor_config.json").write_text(
        json.dumps({"image_processor": {**SETTINGS, "do_center_crop": True, "crop_size": 16, "size": 20}})
    )
    mean, spread = (np.array(SETTINGS[key]) for key in ("image_mean", "image_std"))
    x = torch.tensor((images() / 255 - mean) / spread).permute(0, 3, 1, 2).float()
    with torch.no_grad():
        expected = model.vision_model(pixel_values=x).pooler_output.numpy()
    got = choose_frozen(f"pretrained:{tmp_path / 'clip'}").encode(images())
    assert abs(got - expected).max() < 1e-5


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"size": 20}, (20, 20)),
        ({"do_center_crop": True, "crop_size": {"height": 18, "width": 22}}, (18, 22)),
        ({"size": {"shortest_edge": 24}}, (24, 24)),
        ({"size": None}, (16, 16)),  # of config.json
    ],
)
def test_the_size_of_images_is_read_from_any_way_of_writing_it(
    tmp_path: Path, settings: dict[str, Any], expected: tuple[int, int]
) -> None:
    frozen = choose_frozen(f"pretrained:{tiny_vit(tmp_path / 'vit', **settings)}")
    assert isinstance(frozen, ImageEncoder)
    assert frozen.preprocessing.size == expected
    assert frozen.preprocessing.mean == (0.2, 0.3, 0.4)


def test_bytes_that_a_model_takes_as_they_are_stay_bytes(tmp_path: Path) -> None:
    folder = tiny_vit(tmp_path / "vit", do_rescale=False, do_normalize=False)
    frozen = choose_frozen(f"pretrained:{folder}")
    assert isinstance(frozen, ImageEncoder)
    assert abs(frozen.preprocessing(torch.full((1, 3, 16, 16), 7 / 255)) - 7).max() < 1e-5


def test_a_model_that_is_not_for_images_is_named(tmp_path: Path) -> None:
    folder = tiny_text(tmp_path / "bert")
    with pytest.raises(ValueError, match=r"bert: is not a vision model that returns vectors \(") as caught:
        choose_frozen(f"pretrained:{folder}").encode(images())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("output", [object(), SimpleNamespace(last_hidden_state=torch.ones(3, 8)), ()])
def test_an_output_without_tokens_or_pixels_is_no_vector(output: Any) -> None:
    class Odd(nn.Module):
        def forward(self, pixel_values: Tensor) -> Any:
            return output

    with pytest.raises(ValueError, match="odd: is not a vision model that returns vectors"):
        VisionModel(Odd(), Path("odd"), pools=True)(torch.ones(3, 3, 16, 16))


@pytest.mark.parametrize("name", ["image_mean", "image_std"])
def test_settings_that_are_null_are_named(tmp_path: Path, name: str) -> None:
    folder = tiny_vit(tmp_path / "vit", **{name: None})
    with pytest.raises(
        ValueError, match=rf"vit: is not a vision model that returns vectors \({name} is null\)"
    ):
        choose_frozen(f"pretrained:{folder}")


def test_settings_that_are_no_json_are_named_by_their_file(tmp_path: Path) -> None:
    folder = tiny_vit(tmp_path / "vit")
    (folder / "preprocessor_config.json").write_text("{")
    with pytest.raises(ValueError, match=r"^[^;]*preprocessor_config\.json: cannot be loaded [^;]*; [^;]*$"):
        choose_frozen(f"pretrained:{folder}")


def test_a_model_in_the_hub_s_folder_is_found_by_name(tmp_path: Path, hub: Path) -> None:
    folder = tiny_vit(tmp_path / "vit")
    on_hub(hub, "someone/tiny-vit", folder)
    frozen = choose_frozen("pretrained:someone/tiny-vit")
    assert frozen.name == "pretrained:someone/tiny-vit"
    same = choose_frozen(f"pretrained:{folder}")
    assert frozen.identity == same.identity
    assert (frozen.encode(images()) == same.encode(images())).all()


def test_without_transformers_its_models_need_the_extra_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ValueError, match=r"pip install 'credprop\[vision\]'"):
        choose_frozen(f"pretrained:{tmp_path}")
