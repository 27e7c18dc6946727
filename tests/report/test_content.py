"""The content is JSON, bounded, and true to the arrays."""

import base64
import io
import json
from typing import Any

import numpy as np
import pytest
from PIL import Image

from credprop.report import make_content
from credprop.report.projection import choose_points, two_dimensions
from credprop.report.samples import picture, text
from credprop.report.timeline import losses, movements
from report.worlds import make_evidence


@pytest.mark.parametrize("kind", ["vectors", "images", "text"])
def test_the_content_is_json_and_survives_it(kind: str) -> None:
    content = make_content(make_evidence(kind=kind))
    assert json.loads(json.dumps(content, allow_nan=False)) == content


def test_the_content_is_the_same_every_time() -> None:
    assert make_content(make_evidence(n=80)) == make_content(make_evidence(n=80))


def test_the_content_is_bounded_whatever_the_number_of_rows_and_classes() -> None:
    names = [f"class number {i} with a name that never ends {'x' * 1000}" for i in range(100)]
    long = "word " * 100_000
    other: dict[str, Any] = {"texts": [long] * 6_000, "embedding": np.zeros((6_000, 4)), "epochs": 2_000}
    evidence = make_evidence(n=6_000, classes=names, kind="text", **other)
    assert len(choose_points(evidence)) == 2_000
    content = make_content(evidence)
    assert len(content["issues"]) == len(content["outliers"]) == 24
    assert len(content["distribution"]["rows"]) == 31
    assert sum(len(line["x"]) for line in content["losses"]) <= 1_600
    assert len(json.dumps(content)) < 1_000_000


def test_bars_count_given_refined_and_true_classes() -> None:
    truth = np.array([0, 0, 1, 1, -1])
    q = np.array([[1, 0], [0.5, 0], [0, 0.2], [0, 0], [0.1, 0]])
    evidence = make_evidence(n=5, classes=("a", "b"), q=q, truth=truth, given=np.array([0, 1, -1, -1, -1]))
    distribution = make_content(evidence)["distribution"]
    assert distribution["rows"] == [
        {"name": "a", "classes": 1, "given": 1, "refined": 3, "truth": 2},
        {"name": "b", "classes": 1, "given": 1, "refined": 1, "truth": 2},
    ]
    assert distribution["none"] == 1


def test_many_classes_keep_their_sum_in_the_bars() -> None:
    distribution = make_content(make_evidence(n=300, classes=[str(i) for i in range(100)]))["distribution"]
    assert sum(row["refined"] for row in distribution["rows"]) == distribution["totals"]["refined"] == 270
    assert distribution["rows"][-1]["name"] == "70 others"


def test_histograms_count_every_sample_with_credibility_once() -> None:
    evidence = make_evidence(n=40, truth=np.arange(40) % 3)
    strengths = make_content(evidence)["strengths"]
    assert sum(map(sum, strengths["verdicts"].values())) == sum(map(sum, strengths["truth"].values())) == 36
    assert strengths["zero"] == 4


def test_the_share_labeled_is_of_the_samples_that_could_be() -> None:
    evidence = make_evidence(n=40)
    assert make_content(evidence)["iterations"][0]["share"] == 36 / 40
    clamped = np.where((evidence.given >= 0)[:, None], np.eye(3)[evidence.given], evidence.q)
    history = [{"stage": "refine", "iteration": 1, "epoch": 1, "loss": 1.0, "p": 3, "labeled": 11}]
    trusted = make_evidence(n=40, q=clamped, history=history)
    assert make_content(trusted)["iterations"][0]["share"] == 11 / 22


def test_the_worst_label_comes_first_with_what_the_others_say() -> None:
    evidence = make_evidence(n=40)
    evidence.frame.loc[13, "label_quality"] = -1.0
    worst = make_content(evidence)["issues"][0]
    assert worst["id"] == "row 13"
    assert (worst["given"], worst["says"]) == ("eel", "dog")


def test_the_likeliest_outlier_comes_first() -> None:
    evidence = make_evidence(n=40)
    evidence.frame.loc[29, "outlier_score"] = 5.0
    assert make_content(evidence)["outliers"][0]["id"] == "row 29"


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
def test_a_picture_of_any_layout_becomes_a_small_png(x: np.ndarray, size: tuple[int, int], mode: str) -> None:
    url = picture(x)
    assert url.startswith("data:image/png;base64,")
    image = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
    assert (image.size, image.mode) == (size, mode)


def test_floats_become_bytes_from_black_to_white() -> None:
    image = Image.open(io.BytesIO(base64.b64decode(picture(np.array([[0.0, 1.0]])).partition(",")[2])))
    assert (image.getpixel((0, 0)), image.getpixel((95, 0))) == (0, 255)


def test_the_map_holds_labeled_samples_first_and_leaves_room_for_others() -> None:
    evidence = make_evidence(n=4_000, share=0.1)
    points = choose_points(evidence)
    assert (evidence.given[points] >= 0).sum() == (evidence.given >= 0).sum()
    crowded = choose_points(make_evidence(n=4_000, share=0.9), points=200)
    assert (make_evidence(n=4_000, share=0.9).given[crowded] >= 0).sum() >= 150
    assert crowded.max() > 3_600


@pytest.mark.parametrize("shape", [(5, 3), (1, 4), (70, 1), (80, 200)])
def test_a_map_has_two_finite_dimensions(shape: tuple[int, int]) -> None:
    position, _ = two_dimensions(np.random.default_rng(0).normal(size=shape))
    assert position.shape == (shape[0], 2)
    assert np.isfinite(position).all()


def test_samples_that_are_all_alike_have_a_map() -> None:
    position, method = two_dimensions(np.ones((100, 8)))
    assert method == "PCA"
    assert np.abs(position).max() < 1e-6


def test_groups_apart_stay_apart_on_the_map() -> None:
    centers = np.eye(3)[np.arange(90) % 3]
    position, method = two_dimensions(centers + 0.05 * np.random.default_rng(0).normal(size=(90, 3)))
    assert method == "t-SNE"
    means = np.stack([position[c::3].mean(axis=0) for c in range(3)])
    nearest = np.linalg.norm(position[:, None] - means, axis=2).argmin(axis=1)
    assert (nearest == np.arange(90) % 3).mean() > 0.95


def test_losses_are_a_line_a_stage_with_epochs_counted_through() -> None:
    lines = losses(make_evidence().history)
    assert [(line["stage"], line["iteration"]) for line in lines] == [
        ("pretrain", 0),
        ("refine", 1),
        ("refine", 2),
        ("build", 0),
    ]
    assert [line["x"] for line in lines] == [[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12]]


def test_a_watched_sample_has_a_line_for_its_given_class_and_gaps_where_it_was_not_drawn() -> None:
    vectors = [[[0.5, 0.3, 0.2, 0.1, -0.9]], [[float("nan")] * 5], [[None] * 5]]
    history = [{"stage": "refine", "iteration": i, "watched": v} for i, v in enumerate(vectors)]
    (move,) = movements(history, np.array([4]))
    assert [line["class"] for line in move["lines"]] == [0, 1, 4]
    assert move["lines"][0]["y"] == [0.5, None, None]
    assert move["starts"] == [1.5, 2.5]


def test_at_most_eight_samples_are_watched() -> None:
    history = [{"stage": "refine", "iteration": 1, "watched": np.zeros((30, 2)).tolist()}]
    assert len(movements(history, np.zeros(30, dtype=int))) == 8
