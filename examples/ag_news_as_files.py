"""Writes AG News as people have it: 5,000 texts of which 100 are labeled, and a test set.

    CREDPROP_DATA=FOLDER_OF_DATA python examples/ag_news_as_files.py FOLDER

`few.csv` holds rows of the train split, 25 of each class with their label, the others with none; `test.csv`
the whole test split. Both have the columns `text` and `label`.
"""

import argparse
import os
from pathlib import Path

import numpy as np
import pandas as pd


def main() -> None:
    """Write the files."""
    asked = parsed()
    source = asked.data or Path(os.environ.get("CREDPROP_DATA", "."), "ag_news.csv.gz")
    if not source.is_file():
        raise SystemExit(f"{source} is not there; name the file with --data, or its folder in CREDPROP_DATA")
    table = pd.read_csv(source, dtype=str, keep_default_na=False)
    train, test = (table.loc[table["split"] == part, ["text", "label"]] for part in ("train", "test"))
    order = np.random.default_rng(asked.seed).permutation(len(train))[: asked.rows]
    few = train.iloc[order].copy()
    few.loc[few.groupby("label").cumcount() >= asked.labels, "label"] = ""
    asked.folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("few", few), ("test", test)):
        rows.to_csv(asked.folder / f"{name}.csv", index=False)
        labeled = (rows["label"] != "").sum()
        print(f"{asked.folder / name}.csv: {len(rows):,} rows, {labeled:,} of them labeled")


def parsed() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("ag_news"), help="where the files go")
    parser.add_argument("--data", type=Path, help="ag_news.csv.gz, if it is not in the folder CREDPROP_DATA")
    parser.add_argument("--rows", type=int, default=5_000, help="of the train split (default: %(default)s)")
    parser.add_argument("--labels", type=int, default=25, help="of each class (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="draws other rows (default: %(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
