"""Pictures: a folder of images by class, and images from files into one array."""

import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from credprop.data.files.source import Roles, Source, listed, reason, unreadable, wrong

if TYPE_CHECKING:
    from PIL.Image import Image

ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff")
logging.getLogger("PIL").addHandler(logging.NullHandler())  # what it dislikes stands in our errors

_UNLABELED = "unlabeled"
_ORIENTATION = 0x0112  # EXIF's tag; from 5 on, width and height change places
_GRAY = ("1", "L", "LA", "La")  # and 16 bits, "I;16..."


def folder_source(path: Path, roles: Roles) -> Source:
    """The images of a folder in the order of their names: CLASS/file, and unlabeled/file without a label.

    Where no labels are needed, images that lie in the folder itself come along, without a label.
    """
    folders = [entry for entry in _visible(path) if entry.is_dir()]
    by_folder = {folder.name: _images(folder) for folder in folders}
    loose = _images(path)
    notes = [f"folder {name!r} holds no images" for name, files in by_folder.items() if not files]
    if roles.need_labels:
        _check_classes(path, [name for name, files in by_folder.items() if files], bool(loose), roles)
        if loose:
            lie, are = ("image lies", "is") if len(loose) == 1 else ("images lie", "are")
            notes.append(f"{len(loose)} {lie} outside the folders of the classes and {are} left out")
        loose = []
    label_of: dict[Path, object] = dict.fromkeys(loose)
    for name, files in by_folder.items():
        label_of |= dict.fromkeys(files, None if _marks_unlabeled(name, roles) else name)
    if not label_of:
        raise wrong(path, f"holds no images ({' '.join(ENDINGS)}); put them in CLASS/file or name a table")
    names = {file.relative_to(path).as_posix(): file for file in label_of}
    ids = sorted(names)
    return Source(
        kind="images",
        x=load_pictures([names[name] for name in ids]),
        labels=[label_of[names[name]] for name in ids] if any(by_folder.values()) else None,
        ids=ids,
        warnings=tuple(notes),
    )


def load_pictures(files: Sequence[Path]) -> NDArray[np.uint8]:
    """Images (n, h, w, c) as bytes: one channel if all are gray, else three; transparent is white."""
    shapes = [_look(file) for file in files]
    width, height, _ = shapes[0]
    for file, shape in zip(files, shapes, strict=True):
        if shape[:2] != (width, height):
            raise wrong(
                file,
                f"is {shape[0]} x {shape[1]} pixels, {str(files[0])!r} is {width} x {height};"
                " bring all images to one size",
            )
    channels = 1 if all(gray for *_, gray in shapes) else 3
    try:
        x = np.empty((len(files), height, width, channels), dtype=np.uint8)
    except MemoryError as error:
        raise wrong(
            files[0].parent,
            f"{len(files)} images of {width} x {height} do not fit in memory; make them smaller",
        ) from error
    for i, file in enumerate(files):
        x[i] = _pixels(file, channels)
    return x


def _visible(path: Path) -> list[Path]:
    with unreadable(path):
        return sorted(entry for entry in path.iterdir() if not entry.name.startswith("."))


def _images(path: Path) -> list[Path]:
    return [file for file in _visible(path) if file.suffix.lower() in ENDINGS and file.is_file()]


def _marks_unlabeled(name: str, roles: Roles) -> bool:
    return name in (_UNLABELED, roles.unlabeled)


def _check_classes(path: Path, folders: list[str], loose: bool, roles: Roles) -> None:
    classes = [name for name in folders if not _marks_unlabeled(name, roles)]
    if len(classes) >= 2 or not (folders or loose):
        return
    found = f"one class only, {classes[0]!r}" if classes else "no class"
    there = f" (folders with images: {listed(folders)})" if folders else " (images lie in it directly)"
    raise wrong(path, f"holds {found}{there}; put the images of each class in a folder of its own")


def _look(file: Path) -> tuple[int, int, bool]:
    """Width and height once upright, and whether it is gray, without decoding."""
    with _opened(file) as image:
        mode = image.mode
        width, height = image.size
        if image.getexif().get(_ORIENTATION, 1) >= 5:
            width, height = height, width
    if mode in ("I", "F"):
        raise wrong(file, "is an image of 32-bit numbers; save it with 8 bits a channel")
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
    """An image while it is looked at: whatever its decoder dislikes is an error that names the file."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(file) as image:
                yield image
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            raise wrong(file, f"is too large an image ({reason(error)}); make it smaller") from error
        except Exception as error:  # decoders raise all sorts of things at damaged files
            raise wrong(
                file, f"is no image, a broken one or unreadable ({reason(error)}); replace it or take it out"
            ) from error
