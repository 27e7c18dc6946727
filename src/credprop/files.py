"""Files that are written whole or not at all, and the folder for those that can be had again."""

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, content: bytes | str) -> None:
    """Replace the file at `path` in one step; whatever goes wrong, it is as it was or as it should be.

    Its folder must be there: one that was lost during the work is not made anew in silence.
    """
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        if isinstance(error, OSError):
            error.filename = str(path)  # a full disk names none, and the other is ours
        raise


def cache_folder() -> Path:
    """Where fetched and computed things stay: CREDPROP_CACHE, or `credprop` in the user's cache folder."""
    if own := os.environ.get("CREDPROP_CACHE"):
        return Path(own).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base or Path.home() / ".cache") / "credprop"
