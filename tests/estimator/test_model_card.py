"""The model card says what was learned, and shows names as text."""

from pathlib import Path

import numpy as np
from markdown_it import MarkdownIt

from credprop import CCPClassifier
from estimator.small import (
    X,
    quick,
)

HOSTILE = ["<script>alert(1)</script>", "`` ` ``", "a\n# b", "![x](y)", "  ", "x" * 500, "-1|2", "${}{z}"]


def test_the_card_shows_hostile_names_as_text(tmp_path: Path) -> None:
    y = np.array(HOSTILE, dtype=object)[np.arange(60) % len(HOSTILE)]
    folder = quick().fit(X, [*y[:30], *[None] * 30]).save(tmp_path / "model")
    card = (folder / "README.md").read_text().split("---\n", 2)[2]
    tokens = [t for token in MarkdownIt().parse(card) for t in (token, *(token.children or ()))]
    assert not [t for t in tokens if t.type in ("html_inline", "html_block", "image", "link_open")]
    assert [t.tag for t in tokens if t.type == "heading_open"] == ["h1", "h2", "h2"]
    code = [t.content for t in tokens if t.type == "code_inline"]
    assert "<script>alert(1)</script>" in code
    assert max(map(len, code)) < 70


def test_the_card_says_what_reads_the_texts(reader: CCPClassifier, tmp_path: Path) -> None:
    card = (reader.save(tmp_path) / "README.md").read_text()
    assert "- Samples: texts\n" in card
    assert f"- Rows: `{reader.preparation_.reason}`\n" in card
    assert "- Encoder: text;" in card
