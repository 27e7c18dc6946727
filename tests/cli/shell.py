"""Functions that call the command line, and small files for it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.datasets import make_blobs
from torch import nn
from typer.testing import CliRunner, Result

from credprop.cli.app import app

QUICK = ("--budget", "0.02", "--no-trial")
CLASSES = ("cat", "dog", "p_x")
ROWS, LABELED = 60, 24
SOURCE = Path(__file__).parents[2] / "src"


def credprop(*arguments: object) -> Result:
    """The result of a call in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], prog_name="credprop")


def make_encoder() -> nn.Module:
    """A custom encoder, for `--encoder cli.shell:make_encoder`."""
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU())


def fit(data: Path, out: Path, *options: object) -> Result:
    """A quick fit without a trial, by default of a table with the label column y."""
    table = data.is_file() and data.suffix != ".npz"
    return credprop("fit", data, *(("--label", "y") if table else ()), "--out", out, *QUICK, *options)


def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """A call in a process of its own; it can be interrupted, even where the tests run in the background."""
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heed}; from credprop.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def error_line(result: Result, status: int = 2) -> str:
    """The only line on standard error."""
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("credprop: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def frame(rows: int = ROWS, labeled: int = LABELED) -> pd.DataFrame:
    """Three clusters with four features, ids and text labels, the rest unlabeled."""
    x, truth = make_blobs(rows, centers=3, n_features=4, random_state=0)
    table = pd.DataFrame(x.round(4), columns=list("abcd"))
    table.insert(0, "name", [f"r,{i}" for i in range(rows)])
    table["y"] = [CLASSES[t] if i < labeled else None for i, t in enumerate(truth)]
    return table


def table(folder: Path, file: str = "t.csv", /, **changes: Any) -> Path:
    """The frame as a file, with some of its columns changed."""
    data = frame().assign(**changes)
    path = folder / file
    if path.suffix == ".parquet":
        data.to_parquet(path)
    else:
        data.to_csv(path, index=False)
    return path


def sealed(folder: Path) -> Path:
    """Labeled test rows of the same kind."""
    path = folder / "test.csv"
    frame(90, 90)[ROWS:].to_csv(path, index=False)
    return path


def arrays(folder: Path, **more: Any) -> Path:
    """The same as an .npz with both parts."""
    x, y = make_blobs(ROWS, centers=3, n_features=4, random_state=0)
    labels = np.where(np.arange(ROWS) < LABELED, y, -1)
    np.savez(folder / "t.npz", **({"x_train": x, "y_train": labels, "x_test": x[:9], "y_test": y[:9]} | more))
    return folder / "t.npz"


def image_folder(folder: Path, size: tuple[int, int] = (6, 6)) -> Path:
    """A folder of red and blue images, and some without a label."""
    for i in range(18):
        place = folder / "images" / ("red", "blue", "unlabeled")[i % 3]
        place.mkdir(parents=True, exist_ok=True)
        color = (200 + i, 0, 0) if i % 3 == 0 or i % 2 else (0, 0, 200 + i)
        Image.new("RGB", size, color).save(place / f"{i:02}.png")
    return folder / "images"


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder: its bytes, and when they were written."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
