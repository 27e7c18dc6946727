"""Writes CIFAR-10 as folders of pictures: 200 of each class, 25 of them labeled, and a test set.

    CREDPROP_DATA=FOLDER_OF_DATA python examples/cifar10_as_folders.py FOLDER

`FOLDER/train/CLASS` holds the labeled pictures, `FOLDER/train/unlabeled` the others, `FOLDER/test/CLASS` the
test set. A name of a file is the number of its picture and says nothing of its class.
"""

import argparse
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def main() -> None:
    """Write the pictures."""
    asked = parsed()
    source = asked.data or Path(os.environ.get("CREDPROP_DATA", "."), "cifar10_12k.npz")
    if not source.is_file():
        raise SystemExit(f"{source} is not there; name the file with --data, or its folder in CREDPROP_DATA")
    if asked.folder.exists():  # pictures of another draw would mix with these
        raise SystemExit(f"{asked.folder} is there already; name another folder")
    with np.load(source) as data:
        names = data["class_names"]
        x, y, test_x, test_y = (data[key] for key in ("x_train", "y_train", "x_test", "y_test"))
    rng = np.random.default_rng(asked.seed)
    for c, name in enumerate(names):
        chosen = rng.permutation(np.flatnonzero(y == c))[: asked.pictures]
        write(asked.folder / "train" / str(name), x, chosen[: asked.labels])
        write(asked.folder / "train" / "unlabeled", x, chosen[asked.labels :])
        write(asked.folder / "test" / str(name), test_x, np.flatnonzero(test_y == c))
    for part in ("train", "test"):
        print(f"{asked.folder / part}: {len(list((asked.folder / part).rglob('*.png'))):,} pictures")


def write(folder: Path, pictures: NDArray[np.uint8], rows: NDArray[np.intp]) -> None:
    """Write these pictures as PNG files."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in rows:
        Image.fromarray(pictures[i]).save(folder / f"{i:05}.png")


def parsed() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("cifar10"), help="where they go")
    parser.add_argument("--data", type=Path, help="cifar10_12k.npz, if it is not in the folder CREDPROP_DATA")
    parser.add_argument("--pictures", type=int, default=200, help="of each class (default: %(default)s)")
    parser.add_argument("--labels", type=int, default=25, help="of each class (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="draws other pictures (default: %(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
