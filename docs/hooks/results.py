"""The tables of the benches in `results.md`, from the page that `benchmarks/tables.py` prints."""

import re
from pathlib import Path
from typing import Any

PAGE = "results.md"
MARK = "<!-- bench tables -->"
TABLES = Path(__file__).parents[2] / "benchmarks" / "results" / "README.md"


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Text of a page; on that of the results, the tables in place of the mark."""
    return markdown.replace(MARK, tables()) if page.file.src_uri == PAGE else markdown


def tables() -> str:
    """The page of the benches without its title, headings one level lower."""
    _, _, text = TABLES.read_text().partition("\n")
    return re.sub(r"^#+ ", r"#\g<0>", text, flags=re.MULTILINE).strip()
