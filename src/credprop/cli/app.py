"""The commands. Each imports what it needs when it runs: `--help` must not wait for torch."""

from pathlib import Path

import typer

from credprop import __version__
from credprop.cli import options as o
from credprop.cli.errors import run_safely
from credprop.cli.variadic_options import ManyValues

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="Semi-supervised classification you can trust when you do not know how good your data is.\n\n"
    "Start with `credprop demo`, then `credprop fit YOUR.csv --label COLUMN --out RUN`.",
)


@app.callback(invoke_without_command=True)
def _top(context: typer.Context, version: o.Version = False) -> None:
    if version:
        print(f"credprop {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command(short_help="See it work in a minute: badly labeled digits.")
def demo(
    out: o.Out = Path("credprop-demo"),
    seed: o.Seed = 0,
    overwrite: o.Overwrite = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """See it work, in a minute and without a network: badly labeled digits, with strangers among them."""

    def work() -> None:
        from credprop.cli.console import Screen
        from credprop.cli.demo import DEFAULT_OUT, run_demo

        run_demo(out, seed, Screen(quiet, json), overwrite=overwrite or out == DEFAULT_OUT)

    run_safely(work, debug=debug)


@app.command(cls=ManyValues, short_help="Learn from a partly labeled data set.")
def fit(
    data: o.Data,
    out: o.Out,
    label: o.Label = None,
    features: o.Features = None,
    image: o.Image = None,
    text: o.Text = None,
    id_column: o.IdColumn = None,
    unlabeled: o.Unlabeled = None,
    test: o.Test = None,
    trust: o.Trust = True,
    preset: o.Preset = "auto",
    encoder: o.Encoder = "auto",
    vectors: o.Vectors = None,
    budget: o.Budget = 1.0,
    device: o.Device = None,
    seed: o.Seed = 0,
    overwrite: o.Overwrite = False,
    resume: o.Resume = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Learn from a partly labeled data set: a classifier, refined labels, what to distrust, a report."""
    names = {"label": label, "features": features or (), "image": image, "text": text, "id_column": id_column}
    chosen = {"trust_labels": trust, "preset": preset, "encoder": encoder, "vectors": vectors}
    chosen |= {"budget": budget, "device": device}

    def work() -> None:
        from credprop.cli.console import Screen
        from credprop.cli.fit import run_fit, story
        from credprop.cli.fit_job import Job

        screen = Screen(quiet, json)
        job = Job.from_files(data, test, **names, unlabeled=unlabeled)
        metrics = run_fit(job, out, chosen | {"random_state": seed}, screen, overwrite, resume)
        screen.result(metrics, story(metrics))

    instead = " in place of --overwrite" if overwrite else ""
    hint = f"the same command with --resume{instead} goes on from there"
    run_safely(work, debug=debug, hint=hint)


@app.command(short_help="Label new rows.")
def predict(
    run: o.RunFolder,
    data: o.Data,
    out: o.OutFile,
    text: o.Text = None,
    id_column: o.IdColumn = None,
    allow_import: o.AllowImport = False,
    overwrite: o.Overwrite = False,
    quiet: o.Quiet = False,
    json: o.Json = False,
    debug: o.Debug = False,
) -> None:
    """Label new rows: id, label, confidence, and the probability of every class."""

    def work() -> None:
        from credprop.cli.console import Screen
        from credprop.cli.predict import run_predict

        run_predict(
            run,
            data,
            out,
            Screen(quiet, json),
            id_column=id_column,
            text=text,
            allow_import=allow_import,
            overwrite=overwrite,
        )

    run_safely(work, debug=debug)


@app.command(short_help="Write RUN/report.html again, or a bench's page.")
def report(run: o.Reported, quiet: o.Quiet = False, json: o.Json = False, debug: o.Debug = False) -> None:
    """Write RUN/report.html again, from what the run kept, or bench.html of a bench's folder."""

    def work() -> None:
        from credprop.cli.comparison import is_bench, write_page
        from credprop.cli.console import Screen

        if is_bench(run):
            page = write_page(run)
        else:
            from credprop.cli.report import rewrite_report

            page = rewrite_report(run)
        Screen(quiet, json).result({"report": str(page)}, "The report is in {report}")

    run_safely(work, debug=debug)


@app.command(cls=ManyValues, short_help="Compare methods when data is not what it seems.")
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
    """Compare methods on a labeled data set of which labels are few, wrong or missing, or strangers many."""
    columns = {"label": label, "features": features or (), "image": image, "text": text}
    columns |= {"unlabeled": unlabeled}

    def work() -> None:
        from credprop.bench import load_dataset
        from credprop.cli.bench import export_cells, plan, run
        from credprop.cli.console import Screen

        screen, numbers = Screen(quiet, json), range(seed, seed + seeds)
        dataset = load_dataset(data, rows=rows, **columns)
        if export:
            export_cells(dataset, scenario, numbers, out, screen)
        else:
            choices = {"encoder": encoder, "preset": preset}
            run(plan(dataset, method, scenario, numbers, **choices, screen=screen), out, jobs, screen)

    run_safely(work, debug=debug, hint="the same command goes on from there")


@app.command("list", short_help="List presets, encoders, methods, scenarios, datasets.")
def list_names(what: o.What, json: o.Json = False, debug: o.Debug = False) -> None:
    """List what can be named elsewhere."""

    def work() -> None:
        from credprop.cli.console import Screen
        from credprop.cli.list import show_names

        show_names(what, Screen(json=json))

    run_safely(work, debug=debug)
