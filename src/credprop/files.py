"""Files that are written completely or not at all, and the cache folder."""

import contextlib
import os
from pathlib import Path


def write_whole(path: Path, content: bytes | str) -> None:
    """Replace the file at `path` in one step: it has the old content or the new, never a part of it.

    Its folder must exist: one that was deleted meanwhile is not silently created again.
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
            error.filename = str(path)  # a full disk names no file, other errors the partial one
        raise


def cache_folder() -> Path:
    """Folder of downloaded and computed files: CREDPROP_CACHE, or `credprop` in the user's cache folder."""
    if own := os.environ.get("CREDPROP_CACHE"):
        return Path(own).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return Path(base or Path.home() / ".cache") / "credprop"
