"""Arguments and options of the commands, with their help texts."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

_DATA = (
    "A table (.csv, .tsv, .jsonl, .parquet; also .gz), an .npz file with arrays X and y, or a folder of "
    "images (CLASS/file labeled, unlabeled/file unlabeled)."
)

Data = Annotated[Path, Argument(metavar="DATA", help=_DATA)]
RunFolder = Annotated[Path, Argument(metavar="RUN", help="Run folder written by `fit` or `demo`.")]
Reported = Annotated[Path, Argument(metavar="RUN", help="Folder written by `fit`, `demo` or `bench`.")]
What = Annotated[
    str, Argument(metavar="WHAT", help="One of: presets, encoders, methods, scenarios, datasets.")
]

Out = Annotated[Path, Option(metavar="RUN", help="Run folder to write: model, labels, report.")]
OutFile = Annotated[Path, Option(metavar="FILE", help="File to write: .csv, .tsv, .jsonl or .parquet.")]
Label = Annotated[str | None, Option(metavar="COL", help="Label column; required for tables.")]
Features = Annotated[
    list[str] | None,
    Option(metavar="COL...", help="Feature columns [default: all other numeric columns]."),
]
Image = Annotated[str | None, Option(metavar="COL", help="Column with paths to image files.")]
Text = Annotated[str | None, Option(metavar="COL", help="Text column.")]
IdColumn = Annotated[
    str | None,
    Option("--id", metavar="COL", help="Column with row ids [default: row numbers from 0]."),
]
Unlabeled = Annotated[
    str | None, Option(metavar="VALUE", help="Label value that means unlabeled, besides empty [default: -1].")
]
Test = Annotated[
    Path | None,
    Option(metavar="FILE", help="Held-out labeled rows to measure accuracy on; not used in training."),
]
Trust = Annotated[
    bool | None,
    Option(
        "--trust/--no-trust",
        help="--trust keeps given labels fixed; --no-trust refines them too, because some may be wrong "
        "[default: the trial decides].",
        show_default=False,
    ),
]
Trial = Annotated[
    bool,
    Option(
        "--trial/--no-trial",
        help="--trial hides given labels in turn to measure, calibrate and blend; --no-trial trains CCP "
        "alone, in a fraction of the time, and certifies nothing.",
    ),
]
Folds = Annotated[
    int | None,
    Option(
        "--trial-folds",
        metavar="N",
        min=2,
        help="Hide labels at most N times [default: 4; once if a network learns from images or raw texts].",
    ),
]
Metric = Annotated[
    str,
    Option(metavar="NAME", help="What the certificate compares: accuracy, balanced-accuracy or macro-f1."),
]
Confidence = Annotated[
    float,
    Option(metavar="C", min=0, max=1, help="Confidence from which on the verdict on a row is `trust`."),
]
Gold = Annotated[
    str | None, Option(metavar="COL", help="Column that marks labels that are surely right (1 or yes).")
]
Group = Annotated[
    str | None,
    Option(metavar="COL", help="Column that names rows that belong together; they are hidden together."),
]
RequireWin = Annotated[
    bool,
    Option("--require-win", help="Exit with status 4 unless the result is proven better than the baseline."),
]
FitJobs = Annotated[int, Option("--jobs", metavar="N", min=1, help="Number of processes for the trial.")]
AbstainBelow = Annotated[
    float,
    Option("--abstain-below", metavar="C", min=0, max=1, help="Leave the label empty below this confidence."),
]
Preset = Annotated[str, Option(metavar="NAME", help="Preset of settings; see `credprop list presets`.")]
Encoder = Annotated[
    str, Option(metavar="NAME", help="Network to train, or pretrained encoder; see `credprop list encoders`.")
]
Vectors = Annotated[
    str | None,
    Option(
        metavar="bpemb[:LANG]|FILE",
        help="Pretrained word vectors for the text network: BPEmb (English, or another language such as "
        "bpemb:ru) or a file in word2vec format.",
    ),
]
Budget = Annotated[
    float, Option(metavar="X", help="Scales the number of epochs: 0.2 for a quick first look.")
]
Device = Annotated[
    str | None, Option(metavar="NAME", help="cpu, cuda, mps, ... [default: the fastest available].")
]
Seed = Annotated[
    int, Option(metavar="N", min=0, max=2**32 - 1, help="Random seed; the same seed gives the same result.")
]
AllowImport = Annotated[
    bool,
    Option(
        "--allow-import",
        help="Let RUN import the code of its custom encoder. This executes code: use only if you trust RUN.",
    ),
]
Overwrite = Annotated[bool, Option("--overwrite", help="Replace existing output.")]
Resume = Annotated[bool, Option("--resume", help="Continue an interrupted run from its checkpoint.")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print only results and errors.")]
Json = Annotated[bool, Option("--json", help="Print the result as one JSON object on standard output.")]
Debug = Annotated[bool, Option("--debug", help="Show the full traceback of an error.")]
BenchData = Annotated[
    str,
    Option(
        "--data",
        metavar="NAME|FILE",
        help="Named data set (see `credprop list datasets`), or a file of labeled rows.",
    ),
]
Method = Annotated[
    list[str],
    Option(metavar="M...", help="Methods to compare, `all` or `ablations`; see `credprop list methods`."),
]
Scenario = Annotated[
    list[str],
    Option(
        metavar="S...",
        help="Problems to simulate: all, few-label, few-label-2, ...; see `credprop list scenarios`.",
    ),
]
Seeds = Annotated[int, Option(min=1, help="Number of seeds to repeat each run with, starting at --seed.")]
Rows = Annotated[int | None, Option(metavar="N", min=1, help="Use a stratified sample of N training rows.")]
Jobs = Annotated[int | None, Option(min=1, help="Number of parallel processes [default: one per core].")]
BenchOut = Annotated[
    Path, Option("--out", metavar="DIR", help="Folder for the results; existing results are continued.")
]
BenchEncoder = Annotated[
    str,
    Option(
        metavar="NAME",
        help="Encoder for texts (text, sentence) or images (pretrained) [default: network of the preset].",
    ),
]
Export = Annotated[
    bool,
    Option(
        "--export", help="Only write the data of every scenario and seed to DIR as .npz files; train nothing."
    ),
]
Version = Annotated[bool, Option("--version", help="Print the version and exit.")]
