"""The commands. Each imports what it needs when it runs, so that `--help` does not wait for torch."""

from pathlib import Path
from typing import Any

import typer

from credprop import __version__
from credprop.cli import options as o
from credprop.cli.errors import run_safely
from credprop.cli.variadic_options import VariadicCommand

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Train classifiers on partly labeled data, even with wrong labels and outliers.\n\n"
    "Try `credprop demo` first, then `credprop fit YOUR.csv --label COLUMN --out RUN`.",
)


@app.callback(invoke_without_command=True)
def _top(context: typer.Context, version: o.Version = False) -> None:
    if version:
        print(f"credprop {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(short_help="Run a one-minute example: digits with wrong labels and outliers.")
def demo(
    out: o.Out = Path("credprop-demo"),
    seed: o.Seed = 0,
    overwrite: o.Overwrite = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Run a one-minute example without network access: digits with wrong labels and outliers.

    Trains on data that ships with scikit-learn, prints what was found, and writes a run folder with a report.
    """

    def work() -> None:
        from credprop.cli.console import Console
        from credprop.cli.demo import DEFAULT_OUT, run_demo

        run_demo(out, seed, Console(quiet, json), overwrite=overwrite or out == DEFAULT_OUT)

    run_safely(work, debug=debug)


@app.command(cls=VariadicCommand, short_help="Train on a partly labeled data set.")
def fit(
    data: o.Data,
    out: o.Out,
    label: o.Label = None,
    features: o.Features = None,
    image: o.Image = None,
    text: o.Text = None,
    id_column: o.IdColumn = None,
    unlabeled: o.Unlabeled = None,
    gold: o.Gold = None,
    group: o.Group = None,
    test: o.Test = None,
    trust: o.Trust = None,
    trial: o.Trial = True,
    trial_folds: o.Folds = None,
    metric: o.Metric = "accuracy",
    confidence: o.Confidence = 0.9,
    require_win: o.RequireWin = False,
    preset: o.Preset = "auto",
    encoder: o.Encoder = "auto",
    vectors: o.Vectors = None,
    budget: o.Budget = 1.0,
    device: o.Device = None,
    jobs: o.FitJobs = 1,
    seed: o.Seed = 0,
    overwrite: o.Overwrite = False,
    resume: o.Resume = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Train on a partly labeled data set and write a run folder.

    The run folder holds the classifier, refined labels for all rows with a calibrated confidence
    (labels.csv), label issues, outliers, and a report (report.html). Leave the label empty where a row is
    unlabeled. In a trial, given labels are hidden in turn: what predicts them best is shipped, and a
    certificate says whether it is better than training on the given labels only.

    Example: credprop fit data.csv --label species --out run --test test.csv
    """
    columns = {"label": label, "features": features or (), "image": image, "text": text}
    columns |= {"id_column": id_column, "unlabeled": unlabeled, "gold": gold, "group": group}
    params: dict[str, Any] = {
        "trust_labels": "auto" if trust is None else trust,
        "trial": trial,
        "trial_folds": trial_folds,
    }
    params |= {"metric": metric, "confidence": confidence, "jobs": jobs, "preset": preset}
    params |= {"encoder": encoder, "vectors": vectors}
    params |= {"budget": budget, "device": device, "random_state": seed}

    def work() -> None:
        from credprop.cli.console import Console
        from credprop.cli.fit import check_win, fit_files

        metrics = fit_files(
            data, test, columns, params, out, Console(quiet, json), overwrite=overwrite, resume=resume
        )
        if require_win:
            check_win(metrics)

    hint = f"run the same command with --resume{' instead of --overwrite' * overwrite} to continue"
    run_safely(work, debug=debug, hint=hint)


@app.command(short_help="Predict labels for new rows.")
def predict(
    run: o.RunFolder,
    data: o.Data,
    out: o.OutFile,
    text: o.Text = None,
    id_column: o.IdColumn = None,
    abstain_below: o.AbstainBelow = 0.0,
    allow_import: o.AllowImport = False,
    overwrite: o.Overwrite = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Predict labels for new rows with the classifier of a run folder.

    Writes one row per input row: id, label, confidence (the probability that the label is right),
    outlier_score (distance to the nearest labeled row), and the probability of every class (p_CLASS).

    Example: credprop predict run new.csv --out predictions.csv
    """

    def work() -> None:
        from credprop.cli.console import Console
        from credprop.cli.predict import run_predict

        run_predict(
            run,
            data,
            out,
            Console(quiet, json),
            columns={"id_column": id_column, "text": text},
            abstain_below=abstain_below,
            allow_import=allow_import,
            overwrite=overwrite,
        )

    run_safely(work, debug=debug)


@app.command(short_help="Rewrite report.html of a run, or bench.html of a bench.")
def report(run: o.Reported, quiet: o.Quiet = False, json: o.Json = False, debug: o.Debug = False) -> None:
    """Rewrite RUN/report.html, or bench.html in the folder of a bench, from saved results."""

    def work() -> None:
        from credprop.cli.console import Console
        from credprop.cli.report import rewrite

        Console(quiet, json).result({"report": str(rewrite(run))}, "Wrote {report}")

    run_safely(work, debug=debug)


@app.command(cls=VariadicCommand, short_help="Compare methods on simulated data problems.")
def bench(
    data: o.BenchData,
    out: o.BenchOut,
    method: o.Method = ["all"],  # noqa: B006
    scenario: o.Scenario = ["all"],  # noqa: B006
    seeds: o.Seeds = 1,
    rows: o.Rows = None,
    jobs: o.Jobs = None,
    label: o.Label = None,
    features: o.Features = None,
    image: o.Image = None,
    text: o.Text = None,
    unlabeled: o.Unlabeled = None,
    encoder: o.BenchEncoder = "auto",
    preset: o.Preset = "auto",
    export: o.Export = False,
    seed: o.Seed = 0,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Compare methods on a labeled data set with simulated problems.

    Each scenario hides labels, makes some wrong, adds outliers or makes classes imbalanced, at three
    severities. Prints a table and writes bench.html. Finished runs are kept: repeat the command to continue
    or to add runs.

    Example: credprop bench --data digits --method supervised ccp --scenario few-label --seeds 3 --out bench
    """
    columns = {"label": label, "features": features or (), "image": image, "text": text}
    columns |= {"unlabeled": unlabeled}

    def work() -> None:
        from credprop.bench import load_dataset
        from credprop.cli.bench import export_cells, plan, run
        from credprop.cli.console import Console

        console, numbers = Console(quiet, json), range(seed, seed + seeds)
        dataset = load_dataset(data, rows=rows, **columns)
        if export:
            export_cells(dataset, scenario, numbers, out, console)
        else:
            choices = {"encoder": encoder, "preset": preset}
            run(plan(dataset, method, scenario, numbers, **choices, console=console), out, jobs, console)

    run_safely(work, debug=debug, hint="run the same command again to continue")


@app.command("list", short_help="List presets, encoders, methods, scenarios or datasets.")
def list_names(what: o.What, json: o.Json = False, debug: o.Debug = False) -> None:
    """List the values that other commands accept, with a short description of each."""

    def work() -> None:
        from credprop.cli.console import Console
        from credprop.cli.list import print_choices

        print_choices(what, Console(json=json))

    run_safely(work, debug=debug)
