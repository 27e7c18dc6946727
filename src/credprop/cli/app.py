"""The commands and their options."""

from pathlib import Path
from typing import Annotated

import typer

from credprop import __version__
from credprop.cli.failure import run_safely

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Semi-supervised classification you can trust when you do not know how good your data is.\n\n"
    "Start with `credprop demo`, then `credprop fit YOUR.csv --label COLUMN --out RUN`.",
)

_DATA = "A table (.csv, .tsv, .jsonl, .parquet; .gz too), an .npz with X and y, or a folder CLASS/image."
Data = Annotated[Path, typer.Argument(metavar="DATA", help=_DATA)]
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder that `fit` or `demo` wrote.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same result.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print results and errors only.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Start anew over what is there.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on where an interrupted run stopped.")]
Device = Annotated[str | None, typer.Option(help="cpu, cuda, mps ...; by default the best there is.")]
Budget = Annotated[float, typer.Option(help="Multiple of the preset's epochs: 0.2 for a quick look.")]


@app.callback(invoke_without_command=True)
def _top(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"credprop {__version__}")
        raise typer.Exit


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="RUN", help="Where the run goes.")] = Path("credprop-demo"),
    seed: Seed = 0,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """See it work, in a minute and without a network: badly labeled digits, with strangers among them."""

    def work() -> None:
        from credprop.cli.demo import DEFAULT_OUT, run_demo
        from credprop.cli.show import Screen

        run_demo(out, seed, Screen(quiet=quiet, json=json), overwrite=overwrite or out == DEFAULT_OUT)

    run_safely(work, debug=debug)


@app.command()
def fit(
    data: Data,
    out: Annotated[Path, typer.Option(metavar="RUN", help="The folder to write: model, labels, report.")],
    label: Annotated[
        str | None, typer.Option(metavar="COL", help="Column of labels; needed for tables.")
    ] = None,
    features: Annotated[
        list[str] | None,
        typer.Option(metavar="COL", help="A feature column; repeat it. Default: all numeric."),
    ] = None,
    image: Annotated[str | None, typer.Option(metavar="COL", help="Column of paths to pictures.")] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", metavar="COL", help="Column that names rows.")
    ] = None,
    unlabeled: Annotated[
        str | None, typer.Option(metavar="VALUE", help="What marks unlabeled rows, besides empty and -1.")
    ] = None,
    test: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Labeled rows, looked at once, at the very end.")
    ] = None,
    trust: Annotated[
        bool, typer.Option("--trust/--no-trust", help="Keep given labels, or refine them like all others.")
    ] = True,
    preset: Annotated[str, typer.Option(help="Settings by name; see `credprop list presets`.")] = "auto",
    encoder: Annotated[str, typer.Option(help="A network by name; see `credprop list encoders`.")] = "auto",
    budget: Budget = 1.0,
    device: Device = None,
    seed: Seed = 0,
    overwrite: Overwrite = False,
    resume: Resume = False,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Learn from a partly labeled data set: a classifier, refined labels, what to distrust, a report."""

    def work() -> None:
        from credprop.cli.fit import Job, run_fit, story
        from credprop.cli.show import Screen

        job = Job.from_files(
            data,
            test,
            label=label,
            features=features or (),
            image=image,
            id_column=id_column,
            unlabeled=unlabeled,
        )
        choices = {
            "trust_labels": trust,
            "preset": preset,
            "encoder": encoder,
            "budget": budget,
            "device": device,
        }
        screen = Screen(quiet, json)
        metrics = run_fit(job, out, choices | {"random_state": seed}, screen, overwrite, resume)
        screen.result(metrics, story(metrics))

    run_safely(work, debug=debug, hint="the same command with --resume goes on from there")


@app.command()
def predict(
    run: RunFolder,
    data: Data,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where predictions go: .csv, .tsv, .jsonl, .parquet.")
    ],
    id_column: Annotated[
        str | None, typer.Option("--id", metavar="COL", help="Column that names rows.")
    ] = None,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    quiet: Quiet = False,
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Label new rows: id, label, confidence, and the probability of every class."""

    def work() -> None:
        from credprop.cli.predict import run_predict
        from credprop.cli.show import Screen

        run_predict(run, data, out, id_column, Screen(quiet, json), overwrite=overwrite)

    run_safely(work, debug=debug)


@app.command()
def report(run: RunFolder, quiet: Quiet = False, json: Json = False, debug: Debug = False) -> None:
    """Write RUN/report.html again."""

    def work() -> None:
        from credprop.cli.pages import rewrite_report
        from credprop.cli.show import Screen

        Screen(quiet, json).result({"report": str(rewrite_report(run))}, "The report is in {report}.")

    run_safely(work, debug=debug)


@app.command("list")
def list_names(
    what: Annotated[str, typer.Argument(help="presets, encoders, methods or datasets.")],
    json: Json = False,
    debug: Debug = False,
) -> None:
    """List what can be named elsewhere."""

    def work() -> None:
        from credprop.cli.names import show_names
        from credprop.cli.show import Screen

        show_names(what, Screen(json=json))

    run_safely(work, debug=debug)


def main() -> None:
    """Run the command line."""
    app(prog_name="credprop")
