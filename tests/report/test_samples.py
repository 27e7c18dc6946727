"""Samples are shown as images, texts or feature values."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from credprop.report import make_content
from credprop.report.samples import image_url, text
from report.example_runs import make_evidence


def test_a_vector_is_shown_by_its_most_unusual_values_and_never_by_a_constant_one() -> None:
    x = np.random.default_rng(0).normal(size=(40, 3))
    x[:, 1] = 7
    x[3] = [0, 7, 50]
    columns = ("length", "constant", "weight")
    shown = make_content(make_evidence(n=40, x=x, columns=columns))["issues"]
    features = next(sample for sample in shown if sample["id"] == "row 3")["features"]
    assert features[0] == {"name": "weight", "value": "50", "far": "+6.2"}
    assert features[-1] == {"name": "constant", "value": "7", "far": "+0.0"}


def test_a_short_text_is_shown_as_it_is_and_a_long_one_is_cut_with_its_beginning_at_hand() -> None:
    assert text("A dog, a cat.") == {"text": "A dog, a cat.", "whole": None, "length": 13, "shown": 13}
    long = text("word " * 200_000)
    assert len(long["text"]) <= 280
    assert long["text"].endswith("word…")
    assert long["whole"] == "word " * 800
    assert (long["length"], long["shown"]) == (1_000_000, 4_000)


def test_line_ends_of_a_text_become_marks_and_the_whole_text_keeps_them() -> None:
    shown = text("\n\n one\r\ntwo\n\n\n\nthree\n")
    assert shown["text"] == "one ↵ two ↵ three"
    assert shown["whole"] == "\n\n one\r\ntwo\n\n\n\nthree\n"
    assert text("\n" * 3_000 + "after")["text"] == "after"
    assert text("")["text"] == text(" \n ")["text"] == ""


def test_other_scripts_stay_and_what_reorders_a_page_does_not() -> None:
    assert text("שלום 👩‍🔬 猫")["text"] == "שלום 👩‍🔬 猫"
    assert text("a\u202eb\ud800\x00")["text"] == "a�b?�"


def test_texts_are_shown_in_place_of_the_vectors_learned_from_also_on_the_map() -> None:
    texts = [f"text number {i}" for i in range(40)]
    content = make_content(make_evidence(n=40, kind="text", texts=texts))
    named = {**{s["id"]: s["text"] for s in (*content["issues"], *content["outliers"], *content["watched"])}}
    named |= dict(zip(content["map"]["id"], content["map"]["text"], strict=True))
    assert named == {f"row {i}": texts[i] for i in range(40)}
    assert "features" not in content["issues"][0]
    assert make_content(make_evidence(n=40))["map"]["text"] is None


@pytest.mark.parametrize(
    ("x", "size", "mode"),
    [
        (np.zeros((8, 8), dtype=np.uint8), (96, 96), "L"),
        (np.ones((3, 32, 24), dtype=np.float32), (72, 96), "RGB"),
        (np.zeros((500, 250, 3), dtype=np.uint8), (48, 96), "RGB"),
        (np.zeros((60, 60, 1), dtype=np.uint8), (60, 60), "L"),
        (np.full((2, 9, 9), np.nan), (90, 90), "L"),
        (np.zeros((16, 16, 4), dtype=np.uint8), (96, 96), "RGBA"),
    ],
)
def test_an_image_of_any_layout_becomes_a_small_png(x: np.ndarray, size: tuple[int, int], mode: str) -> None:
    url = image_url(x)
    assert url.startswith("data:image/png;base64,")
    image = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    assert (image.size, image.mode) == (size, mode)


def test_floats_become_bytes_from_black_to_white() -> None:
    image = Image.open(io.BytesIO(base64.b64decode(image_url(np.array([[0.0, 1.0]])).partition(",")[2])))
    assert (image.getpixel((0, 0)), image.getpixel((95, 0))) == (0, 255)
