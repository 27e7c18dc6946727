"""Blocks of code in the pages of the project, and a folder to run them in."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    """The blocks of a page in this language, in order."""
    return [code for found, code in _BLOCK.findall(page.read_text()) if found == language]


def commands(page: Path) -> list[str]:
    """The shell commands of a page, one per line, without comments."""
    text = "\n".join(blocks(page, "sh")).replace("\\\n", " ")
    lines = [re.sub(r"\s#\s.*", "", line).strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def make_workspace(folder: Path) -> Path:
    """A folder like a checkout after `make`: the examples, and an environment with this Python."""
    scripts = folder / ".venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "activate").write_text(f'export PATH="{Path(sys.executable).parent}:$PATH"\n')
    (folder / "examples").symlink_to(ROOT / "examples")
    return folder
