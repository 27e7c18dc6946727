"""Write partly labeled digits as tables, arrays and folders of images.

    python examples/digits_as_files.py FOLDER

The training rows are 40 labeled and 860 unlabeled ones; 400 labeled rows are for testing, 497 unlabeled ones
are new.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.datasets import load_digits


def main(folder: Path) -> None:
    """Write the files."""
    folder.mkdir(parents=True, exist_ok=True)
    x, y = load_digits(return_X_y=True)
    names = [f"pixel_{i}" for i in range(x.shape[1])]
    parts = {"train": slice(0, 900), "test": slice(900, 1300), "new": slice(1300, None)}
    for part, rows in parts.items():
        table = pd.DataFrame(x[rows], columns=names)
        if part != "new":
            table["digit"] = [label if is_labeled(part, i) else None for i, label in enumerate(y[rows])]
            table["digit"] = table["digit"].astype("Int64")
        table.to_csv(folder / f"{part}.csv", index=False)
        table.to_parquet(folder / f"{part}.parquet", index=False)
        labels: dict[str, Any] = {} if part == "new" else {"y": table["digit"].fillna(-1).to_numpy(dtype=int)}
        np.savez(folder / f"{part}.npz", X=x[rows], **labels)
        for i, (row, label) in enumerate(zip(x[rows], y[rows], strict=True)):
            place = folder / "images" / part / (str(label) if is_labeled(part, i) else "unlabeled")
            place.mkdir(parents=True, exist_ok=True)
            Image.fromarray((row.reshape(8, 8) * 255 / 16).astype(np.uint8)).save(place / f"{i}.png")
    print(f"Wrote {', '.join(sorted(path.name for path in folder.iterdir()))} to {folder}")


def is_labeled(part: str, row: int) -> bool:
    """Whether a row keeps its label."""
    return part == "test" or (part == "train" and row < 40)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "digits"))
