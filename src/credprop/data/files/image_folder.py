"""A folder of images by class, and image files as one array."""

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credprop.data.files.source import Roles, Source, file_error, listed, reading, reason

if TYPE_CHECKING:
    from PIL.Image import Image

ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff")
logging.getLogger("PIL").addHandler(logging.NullHandler())  # its complaints are part of our errors

_UNLABELED = "unlabeled"
_ORIENTATION = 0x0112  # EXIF's tag; from 5 on, width and height are swapped
_GRAY = ("1", "L", "LA", "La")  # and 16 bits, "I;16..."


def folder_source(path: Path, roles: Roles) -> Source:
    """The images of a folder in the order of their names: CLASS/file, and unlabeled/file without a label.

    Where no labels are needed, images directly in the folder are included, without a label.
    """
    folders = [entry for entry in _visible(path) if entry.is_dir()]
    by_folder = {folder.name: _images(folder) for folder in folders}
    loose = _images(path)
    notes = [f"folder {name!r} contains no images" for name, files in by_folder.items() if not files]
    if roles.need_labels:
        _check_classes(path, [name for name, files in by_folder.items() if files], bool(loose), roles)
        if loose:
            images, are = ("image", "is") if len(loose) == 1 else ("images", "are")
            notes.append(f"{len(loose)} {images} outside the class folders {are} ignored")
        loose = []
    label_of: dict[Path, object] = dict.fromkeys(loose)
    for name, files in by_folder.items():
        label_of |= dict.fromkeys(files, None if _marks_unlabeled(name, roles) else name)
    if not label_of:
        raise file_error(
            path, f"contains no images ({' '.join(ENDINGS)}); put them in CLASS/file or name a table"
        )
    names = {file.relative_to(path).as_posix(): file for file in label_of}
    ids = sorted(names)
    return Source(
        kind="images",
        x=load_images([names[name] for name in ids]),
        labels=[label_of[names[name]] for name in ids] if any(by_folder.values()) else None,
        ids=ids,
        warnings=tuple(notes),
    )


def load_images(files: Sequence[Path]) -> NDArray[np.uint8]:
    """Images (n, h, w, c) as bytes: one channel if all are gray, else three; transparent is white."""
    shapes = [_look(file) for file in files]
    width, height, _ = shapes[0]
    for file, shape in zip(files, shapes, strict=True):
        if shape[:2] != (width, height):
            raise file_error(
                file,
                f"is {shape[0]} x {shape[1]} pixels, {str(files[0])!r} is {width} x {height};"
                " resize all images to one size",
            )
    channels = 1 if all(gray for *_, gray in shapes) else 3
    try:
        x = np.empty((len(files), height, width, channels), dtype=np.uint8)
    except MemoryError as error:
        raise file_error(
            files[0].parent,
            f"{len(files)} images of {width} x {height} do not fit into memory; use smaller ones",
        ) from error
    for i, file in enumerate(files):
        x[i] = _pixels(file, channels)
    return x


def _visible(path: Path) -> list[Path]:
    with reading(path):
        return sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))


def _images(path: Path) -> list[Path]:
    return [file for file in _visible(path) if file.suffix.lower() in ENDINGS and file.is_file()]


def _marks_unlabeled(name: str, roles: Roles) -> bool:
    return name in (_UNLABELED, roles.unlabeled)


def _check_classes(path: Path, folders: list[str], loose: bool, roles: Roles) -> None:
    classes = [name for name in folders if not _marks_unlabeled(name, roles)]
    if len(classes) >= 2 or not (folders or loose):
        return
    found = f"only one class, {classes[0]!r}" if classes else "no class"
    there = f" (folders with images: {listed(folders)})" if folders else " (images are directly in it)"
    raise file_error(path, f"contains {found}{there}; put the images of each class in a folder of its own")


def _look(file: Path) -> tuple[int, int, bool]:
    """Width and height when upright, and whether it is gray, without decoding."""
    with _opened(file) as image:
        mode = image.mode
        width, height = image.size
        if image.getexif().get(_ORIENTATION, 1) >= 5:
            width, height = height, width
    if mode in ("I", "F"):
        raise file_error(file, "is an image of 32-bit numbers; save it with 8 bits per channel")
    return width, height, mode in _GRAY or mode.startswith("I;16")


def _pixels(file: Path, channels: int) -> NDArray[np.uint8]:
    """An image upright, as bytes (h, w, channels)."""
    from PIL import Image, ImageOps

    with _opened(file) as image:
        upright = ImageOps.exif_transpose(image)
        if upright.mode.startswith("I;16"):
            upright = Image.fromarray((np.asarray(upright) >> 8).astype(np.uint8))
        if upright.has_transparency_data:
            upright = upright.convert("RGBA")
            upright = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright)
        pixels = np.asarray(upright.convert("L" if channels == 1 else "RGB"))
    return pixels.reshape(*pixels.shape[:2], channels)


@contextmanager
def _opened(file: Path) -> Iterator["Image"]:
    """An open image; every error of its decoder becomes one that names the file."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(file) as image:
                yield image
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise file_error(file, f"is too large an image ({reason(error)}); resize it") from error
        except Exception as error:  # decoders raise errors of many types
            raise file_error(
                file, f"is not an image, or is damaged or unreadable ({reason(error)}); replace or remove it"
            ) from error
