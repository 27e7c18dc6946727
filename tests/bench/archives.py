"""Small archives, as the authors of data sets pack them."""

import io
import tarfile
from pathlib import Path


def tar(path: Path, members: dict[str, bytes]) -> None:
    """Write an archive of these files."""
    with tarfile.open(path, "w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
