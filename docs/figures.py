"""Draw the figures of the documentation into docs/figures.

    python docs/figures.py

Plain SVG on a light background, so that they are readable in light and dark mode. The propagation is a real
one on digits, and the curves come from the runs in benchmarks/results.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from credprop.bench import make_page_data, read_results
from credprop.functional import (
    adjust,
    angular_similarity,
    choose_p,
    consolidate,
    initial_credibility,
    propagate,
    strength,
    subsample,
)

ROOT = Path(__file__).parents[1]
OUT = Path(__file__).parent / "figures"
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b")  # told apart by color-blind readers too
INK, MUTED, GRID = "#1b1f24", "#59636e", "#d1d9e0"
PANEL = 240


def main() -> None:
    """Write all figures."""
    OUT.mkdir(exist_ok=True)
    for name, draw in FIGURES.items():
        (OUT / f"{name}.svg").write_text(draw())


def credibility() -> str:
    """Similarity, probability and credibility of three samples."""
    names = ("clear", "ambiguous", "outlier")
    psi = torch.tensor([[0.85, 0.55, 0.50], [0.80, 0.78, 0.45], [0.36, 0.31, 0.30]])
    columns = (
        ("class similarity", psi),
        ("probability (softmax)", (psi / 0.1).softmax(dim=1)),
        ("credibility (clipped)", adjust(psi).clamp(0, 1)),
    )
    parts = [
        _text(150 + 250 * column, 28, title, size=13, bold=True) for column, (title, _) in enumerate(columns)
    ]
    for row, name in enumerate(names):
        top = 52 + 100 * row
        parts.append(_text(20, top + 42, name, size=14, bold=True))
        for column, (_, values) in enumerate(columns):
            parts.append(_bars(150 + 250 * column, top, values[row].tolist()))
    return _svg(900, 350, parts)


def _bars(left: float, top: float, values: Sequence[float]) -> str:
    parts = []
    for i, value in enumerate(values):
        y = top + 26 * i
        parts.append(_text(left, y + 14, "ABC"[i], size=12, color=MUTED))
        parts.append(_rect(left + 16, y, 150, 18, GRID))
        parts.append(_rect(left + 16, y, 150 * value, 18, COLORS[i]))
        parts.append(_text(left + 174, y + 14, f"{value:.2f}", size=12))
    return "".join(parts)


def propagation() -> str:
    """Four labels per class spread over digits 0 to 4; the weakest are reset."""
    x, truth, labels = _five_digits()
    similarity = angular_similarity(x - x.mean(dim=0))
    q = initial_credibility(labels, k=5)
    unlabeled = labels < 0
    panels = [(q.clone(), f"{int((~unlabeled).sum())} given labels")]
    received = propagate(similarity, q)[unlabeled]
    q[unlabeled] = consolidate(received)
    panels.append((q.clone(), f"propagated: {_right(q, truth, unlabeled)}"))
    rank = received.amax(dim=1)
    p = choose_p(q[unlabeled], rank)
    q[unlabeled] = subsample(q[unlabeled], rank, p)
    panels.append((q.clone(), f"weakest {p} % reset: {_right(q, truth, unlabeled)}"))
    places = PCA(2, svd_solver="full").fit_transform(x.numpy())
    parts = []
    for i, (own, title) in enumerate(panels):
        left = 20 + i * (PANEL + 40)
        parts += [_text(left, 28, title, size=13, bold=True), _rect(left, 42, PANEL, PANEL, "#ffffff", GRID)]
        parts.append(_points(places, own, ~unlabeled, left, 42))
    for digit, color in enumerate(COLORS):
        parts += [
            _circle(30 + 90 * digit, 303, 5, color),
            _text(42 + 90 * digit, 308, f"digit {digit}", size=13),
        ]
    parts.append(_text(490, 308, "ringed: given label; faint: low credibility; gray: none", size=13))
    return _svg(860, 325, parts)


def _five_digits() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Rows, true classes, and labels of four rows per class."""
    pixels, digits = load_digits(n_class=5, return_X_y=True)
    x, truth = torch.tensor(pixels, dtype=torch.float32), torch.tensor(digits)
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(0))
    given = torch.cat([order[truth[order] == digit][:4] for digit in range(5)])
    labels = torch.full_like(truth, -1)
    labels[given] = truth[given]
    return x, truth, labels


def _right(q: torch.Tensor, truth: torch.Tensor, rows: torch.Tensor) -> str:
    known = rows & (strength(q) > 0)
    return f"{100 * float((q.argmax(dim=1) == truth)[known].float().mean()):.0f} % right"


def _points(
    places: np.ndarray, q: torch.Tensor, given: torch.Tensor, left: float, top: float, pad: float = 12
) -> str:
    low, high = places.min(axis=0), places.max(axis=0)
    xy = (places - low) / (high - low) * (PANEL - 2 * pad) + (left + pad, top + pad)
    s, c = strength(q).tolist(), q.argmax(dim=1).tolist()
    drawn = []
    for i in torch.argsort(given.int(), stable=True).tolist():
        x, y = xy[i]
        if given[i]:
            drawn.append(_circle(x, y, 5, COLORS[c[i]], stroke=INK))
        elif s[i] > 0:
            drawn.append(_circle(x, y, 2.5, COLORS[c[i]], opacity=0.25 + 0.75 * s[i]))
        else:
            drawn.append(_circle(x, y, 2, "#afb8c1", opacity=0.8))
    return "".join(drawn)


def data_problems() -> str:
    """The five data problems on three made-up classes."""
    counts = {  # unlabeled per class, labeled per class, outliers, wrong labels
        "few labels": ((40, 40, 40), (2, 2, 2), 0, 0),
        "outliers": ((40, 40, 40), (6, 6, 6), 40, 0),
        "wrong labels": ((40, 40, 40), (6, 6, 6), 0, 5),
        "imbalanced unlabeled": ((75, 35, 5), (6, 6, 6), 0, 0),
        "imbalanced labeled": ((40, 40, 40), (14, 4, 1), 0, 0),
    }
    size, parts = 165, []
    for i, (title, (unlabeled, labeled, outliers, wrong)) in enumerate(counts.items()):
        left = 12 + i * (size + 8)
        parts += [
            _text(left + 2, 26, title, size=12, bold=True),
            _rect(left, 38, size, size, "#ffffff", GRID),
        ]
        parts.append(_scene(np.random.default_rng(i), left, 38, (unlabeled, labeled, outliers, wrong)))
    parts.append(
        _text(
            16, 228, "Color: given label. Gray: unlabeled row. Cross: outlier. Square: wrong label.", size=13
        )
    )
    return _svg(885, 245, parts)


def _scene(
    rng: np.random.Generator,
    left: float,
    top: float,
    counts: tuple[tuple[int, ...], tuple[int, ...], int, int],
) -> str:
    unlabeled, labeled, outliers, wrong = counts
    corner = np.array([left, top])
    centers = corner + np.array([[45, 48], [118, 62], [62, 118]])
    drawn = [
        _circle(x, y, 2.2, "#8c959f")
        for center, n in zip(centers, unlabeled, strict=True)
        for x, y in rng.normal(center, 11, (n, 2))
    ]
    far = corner + np.array([128, 130])
    drawn += [
        _text(x - 4, y + 4, "&#215;", size=12, color=MUTED) for x, y in rng.normal(far, 11, (outliers, 2))
    ]
    for c, (center, n) in enumerate(zip(centers, labeled, strict=True)):
        for i, (x, y) in enumerate(rng.normal(center, 10, (n, 2))):
            if 3 * i + c < wrong:
                drawn.append(_rect(x - 4.5, y - 4.5, 9, 9, COLORS[(c + 1) % 3], INK))
            else:
                drawn.append(_circle(x, y, 5, COLORS[c], stroke=INK))
    return "".join(drawn)


def cost_of_problems() -> str:
    """Accuracy by severity of each problem, of the baseline and CCP alone, mean over four data sets."""
    folders = ("digits", "emb-ag_news", "emb-cifar10", "emb-dbpedia14")
    found = [make_page_data(read_results(ROOT / "benchmarks" / "results" / name)) for name in folders]
    lines = {"supervised": "#59636e", "ccp-alone": COLORS[0], "ccp-untrusted": COLORS[1]}
    problems = ("few-label", "open-set", "noisy-label", "imbalanced-unlabeled", "imbalanced-labeled")
    parts = []
    for i, problem in enumerate(problems):
        left = 44 + i * 170
        parts.append(_text(left, 26, problem, size=12, bold=True))
        parts.append(_axes(left, first=i == 0))
        has = [own for own in found if f"{problem}-3" in own["cells"]]
        for name, color in lines.items():
            cells = ["base", *(f"{problem}-{severity}" for severity in (1, 2, 3))]
            means = [np.mean([own["methods"][name]["accuracy"][cell] for own in has]) for cell in cells]
            parts.append(_line(left, means, color))
    for i, (name, color) in enumerate(lines.items()):
        parts += [_rect(60 + 170 * i, 238, 22, 4, color), _text(88 + 170 * i, 245, name, size=13)]
    return _svg(890, 260, parts)


def _axes(left: float, *, first: bool) -> str:
    parts = [
        f'<line x1="{left}" x2="{left + 140}" y1="{_height(v)}" y2="{_height(v)}" stroke="{GRID}"/>'
        for v in (0.4, 0.6, 0.8, 1.0)
    ]
    if first:
        parts += [
            _text(6, _height(v) + 4, f"{100 * v:.0f} %", size=11, color=MUTED) for v in (0.4, 0.6, 0.8, 1)
        ]
    parts += [
        _text(left + 42 * i + (0 if i else -2), 220, ("base", "1", "2", "3")[i], size=11, color=MUTED)
        for i in range(4)
    ]
    return "".join(parts)


def _line(left: float, means: Sequence[float], color: str) -> str:
    points = [(left + 6 + 42 * i, _height(mean)) for i, mean in enumerate(means)]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(_circle(x, y, 3, color) for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>{dots}'


def _height(accuracy: float) -> float:
    return 200 - (accuracy - 0.4) / 0.6 * 158


def _text(x: float, y: float, text: str, *, size: int, bold: bool = False, color: str = INK) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{color}"{weight}>{text}</text>'


def _rect(x: float, y: float, width: float, height: float, fill: str, stroke: str = "none") -> str:
    size = f'width="{width:.1f}" height="{height:.1f}"'
    return f'<rect x="{x:.1f}" y="{y:.1f}" {size} rx="2" fill="{fill}" stroke="{stroke}"/>'


def _circle(x: float, y: float, r: float, fill: str, *, opacity: float = 1.0, stroke: str = "none") -> str:
    paint = f'fill="{fill}" fill-opacity="{opacity:.2f}" stroke="{stroke}"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}" {paint}/>'


def _svg(width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="system-ui, sans-serif" role="img">'
        f'<rect width="{width}" height="{height}" rx="8" fill="#f6f8fa"/>{"".join(parts)}</svg>\n'
    )


FIGURES = {
    "credibility": credibility,
    "propagation": propagation,
    "data-problems": data_problems,
    "cost-of-problems": cost_of_problems,
}


if __name__ == "__main__":
    main()
