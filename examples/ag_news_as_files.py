"""Write AG News as partly labeled files: 5,000 texts with 100 labels, and a test set.

    CREDPROP_DATA=FOLDER_OF_DATA python examples/ag_news_as_files.py FOLDER

`few.csv` has rows of the train split, 25 of each class labeled and the others unlabeled; `test.csv` has the
whole test split. Both have the columns `text` and `label`.
"""

import argparse
import os
from pathlib import Path

import numpy as np
import pandas as pd


def main() -> None:
    """Write the files."""
    args = parse_args()
    source = args.data or Path(os.environ.get("CREDPROP_DATA", "."), "ag_news.csv.gz")
    if not source.is_file():
        raise SystemExit(f"{source} not found; use --data FILE, or set CREDPROP_DATA to its folder")
    table = pd.read_csv(source, dtype=str, keep_default_na=False)
    train, test = (table.loc[table["split"] == part, ["text", "label"]] for part in ("train", "test"))
    order = np.random.default_rng(args.seed).permutation(len(train))[: args.rows]
    few = train.iloc[order].copy()
    few.loc[few.groupby("label").cumcount() >= args.labels, "label"] = ""
    args.folder.mkdir(parents=True, exist_ok=True)
    for name, rows in (("few", few), ("test", test)):
        rows.to_csv(args.folder / f"{name}.csv", index=False)
        labeled = (rows["label"] != "").sum()
        print(f"{args.folder / name}.csv: {len(rows):,} rows, {labeled:,} labeled")


def parse_args() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("ag_news"), help="folder to write to")
    parser.add_argument("--data", type=Path, help="path to ag_news.csv.gz (default: in CREDPROP_DATA)")
    parser.add_argument(
        "--rows", type=int, default=5_000, help="number of training rows (default: %(default)s)"
    )
    parser.add_argument("--labels", type=int, default=25, help="labels per class (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: %(default)s)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
