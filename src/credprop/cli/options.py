"""Arguments and options that commands share, each with the words that explain it."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

_DATA = "A table (.csv, .tsv, .jsonl, .parquet; .gz too), an .npz with X and y, or a folder CLASS/image."

Data = Annotated[Path, Argument(metavar="DATA", help=_DATA)]
RunFolder = Annotated[Path, Argument(metavar="RUN", help="The folder that `fit` or `demo` wrote.")]
Reported = Annotated[Path, Argument(metavar="RUN", help="The folder that `fit`, `demo` or `bench` wrote.")]
What = Annotated[str, Argument(metavar="WHAT", help="presets, encoders, methods, scenarios or datasets.")]

Out = Annotated[Path, Option(metavar="RUN", help="The folder to write: model, labels, report.")]
OutFile = Annotated[Path, Option(metavar="FILE", help="Where they go: .csv, .tsv, .jsonl or .parquet.")]
Label = Annotated[str | None, Option(metavar="COL", help="Column of labels; needed for tables.")]
Features = Annotated[
    list[str] | None,
    Option(metavar="COL...", help="Feature columns. Default: every other numeric column."),
]
Image = Annotated[str | None, Option(metavar="COL", help="Column of paths to pictures.")]
Text = Annotated[str | None, Option(metavar="COL", help="Column of texts.")]
IdColumn = Annotated[
    str | None,
    Option("--id", metavar="COL", help="Column that names the rows; else they are numbered from 0."),
]
Unlabeled = Annotated[
    str | None, Option(metavar="VALUE", help="What marks unlabeled rows, besides empty; by default -1.")
]
Test = Annotated[Path | None, Option(metavar="FILE", help="Labeled rows, looked at once, at the very end.")]
Trust = Annotated[
    bool, Option("--trust/--no-trust", help="Keep given labels, or refine them like all others.")
]
Preset = Annotated[str, Option(metavar="NAME", help="Settings; see `credprop list presets`.")]
Encoder = Annotated[str, Option(metavar="NAME", help="Network; see `credprop list encoders`.")]
Vectors = Annotated[
    str | None,
    Option(
        metavar="bpemb[:LANG]|FILE",
        help="Word vectors for the text network to start from: BPEmb's (English unless a language such as "
        "ru is named), or a file in word2vec's format.",
    ),
]
Budget = Annotated[float, Option(metavar="X", help="Multiple of the preset's epochs: 0.2 for a quick look.")]
Device = Annotated[
    str | None, Option(metavar="NAME", help="cpu, cuda, mps ...; by default the best there is.")
]
Seed = Annotated[int, Option(metavar="N", min=0, max=2**32 - 1, help="The same seed gives the same result.")]
AllowImport = Annotated[
    bool,
    Option("--allow-import", help="Import the code of an encoder of your own; runs it: trust RUN first."),
]
Overwrite = Annotated[bool, Option("--overwrite", help="Start anew over what is there.")]
Resume = Annotated[bool, Option("--resume", help="Go on where an interrupted run stopped.")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Print results and errors only.")]
Json = Annotated[bool, Option("--json", help="Print one JSON object on standard output.")]
Debug = Annotated[bool, Option("--debug", help="Show the traceback of an error.")]
BenchData = Annotated[
    str, Option("--data", metavar="NAME|FILE", help="See `credprop list datasets`, or a file of your own.")
]
Method = Annotated[list[str], Option(metavar="M...", help="Which; see `credprop list methods`.")]
Scenario = Annotated[
    list[str],
    Option(metavar="S...", help="few-label, few-label-2, labels-5% ...; see `credprop list scenarios`."),
]
Seeds = Annotated[int, Option(min=1, help="How many seeds, from --seed on.")]
Rows = Annotated[int | None, Option(min=1, help="Draw as many training rows, by class.")]
Jobs = Annotated[int | None, Option(min=1, help="Processes at once; by default one a core.")]
BenchOut = Annotated[Path, Option("--out", metavar="DIR", help="The folder of the results; goes on there.")]
BenchEncoder = Annotated[
    str,
    Option(metavar="NAME", help="For texts: text, sentence; for pictures: pretrained; else the preset's."),
]
Export = Annotated[bool, Option("--export", help="Write the cells into DIR as .npz and run nothing.")]
Version = Annotated[bool, Option("--version", help="Print the version.")]
