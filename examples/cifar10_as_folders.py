"""Write CIFAR-10 as folders of images: 200 of each class, 25 of them labeled, and a test set.

    CREDPROP_DATA=FOLDER_OF_DATA python examples/cifar10_as_folders.py FOLDER

`FOLDER/train/CLASS` has the labeled images, `FOLDER/train/unlabeled` the others, `FOLDER/test/CLASS` the test
set. File names are row numbers and do not reveal the class.
"""

import argparse
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def main() -> None:
    """Write the images."""
    args = parse_args()
    source = args.data or Path(os.environ.get("CREDPROP_DATA", "."), "cifar10_12k.npz")
    if not source.is_file():
        raise SystemExit(f"{source} not found; use --data FILE, or set CREDPROP_DATA to its folder")
    if args.folder.exists():  # do not mix with images of another sample
        raise SystemExit(f"{args.folder} already exists; use another folder")
    with np.load(source) as data:
        names = data["class_names"]
        x, y, test_x, test_y = (data[key] for key in ("x_train", "y_train", "x_test", "y_test"))
    rng = np.random.default_rng(args.seed)
    for c, name in enumerate(names):
        chosen = rng.permutation(np.flatnonzero(y == c))[: args.images]
        write(args.folder / "train" / str(name), x, chosen[: args.labels])
        write(args.folder / "train" / "unlabeled", x, chosen[args.labels :])
        write(args.folder / "test" / str(name), test_x, np.flatnonzero(test_y == c))
    for part in ("train", "test"):
        print(f"{args.folder / part}: {len(list((args.folder / part).rglob('*.png'))):,} images")


def write(folder: Path, images: NDArray[np.uint8], rows: NDArray[np.intp]) -> None:
    """Write these images as PNG files."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in rows:
        Image.fromarray(images[i]).save(folder / f"{i:05}.png")


def parse_args() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("cifar10"), help="folder to write to")
    parser.add_argument("--data", type=Path, help="path to cifar10_12k.npz (default: in CREDPROP_DATA)")
    parser.add_argument("--images", type=int, default=200, help="images per class (default: %(default)s)")
    parser.add_argument("--labels", type=int, default=25, help="labels per class (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: %(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
