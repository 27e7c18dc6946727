"""The citation file is valid and names the current version."""

import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

import credprop

ROOT = Path(__file__).parents[1]
CITATION: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text())


def test_the_citation_has_every_required_key() -> None:
    assert CITATION["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(CITATION)
    paper = CITATION["preferred-citation"]
    assert {"type", "title", "authors"} <= set(paper)
    assert all({"given-names", "family-names"} == set(author) for author in paper["authors"])


def test_citation_changelog_and_package_have_one_version() -> None:
    assert CITATION["version"] == credprop.__version__
    heading = re.search(r"^## (\S+) \((\S+)\)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heading
    assert heading.groups() == (credprop.__version__, str(CITATION["date-released"]))
    assert f'\nversion = "{credprop.__version__}"\n' in (ROOT / "pyproject.toml").read_text()
