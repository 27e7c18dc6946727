"""`credprop bench`: run all methods on all scenarios, print the table, write the page."""

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from joblib import cpu_count

from credprop.bench import (
    Dataset,
    Progress,
    choose_scenarios,
    class_counts,
    draw_cell,
    export_cell,
    plan_bench,
    prepare_dataset,
    run_bench,
    summarize,
)
from credprop.bench.results_folder import read_results, run_key, source_hash
from credprop.bench.run_cell import METHODS, Bench
from credprop.bench.runner import choose_methods
from credprop.ccp import check_preset
from credprop.cli.console import Console, format_duration
from credprop.cli.errors import FAILED
from credprop.cli.report import write_bench_page
from credprop.estimator.fit_inputs import encoding_progress

_SHORT = {
    "few-label": "few-label",
    "open-set": "open-set",
    "noisy-label": "noisy-label",
    "imbalanced-unlabeled": "imb. unlabeled",
    "imbalanced-labeled": "imb. labeled",
}


def plan(
    dataset: Dataset,
    methods: Sequence[str],
    wanted: Sequence[str],
    seeds: Sequence[int],
    *,
    encoder: str,
    preset: str,
    console: Console,
    module: str = METHODS,
) -> Bench:
    """All runs of a bench. Names are checked before texts or images are encoded, which may take long.

    `module` is the module that holds the methods.
    """
    check_preset(preset)
    choose_scenarios(class_counts(dataset.y), wanted)
    choose_methods(methods, dataset.kind, module)
    with console.progress("preparing rows") as draw:
        dataset = prepare_dataset(dataset, encoder, encoding_progress(draw), preset=preset)
    return plan_bench(dataset, methods, wanted, seeds, preset=preset, module=module)


def run(bench: Bench, out: Path, jobs: int | None, console: Console) -> None:
    """Do all runs, print the table and write the page; exit with status 1 if a run failed."""
    data, jobs = bench.dataset, jobs or cpu_count()
    for note in data.notes:
        console.note(f"note: {note}")
    k, classes = bench.tasks[0].scenario.k, len(bench.tasks[0].scenario.labels)
    console.note(
        f"{data.name}: {len(data.y):,} training and {len(data.test_y):,} test rows, {classes} classes, "
        f"{k} in-distribution; {_counted(len(bench.tasks), 'run')}, {jobs} in parallel"
    )
    wanted = {task.key for task in bench.tasks}
    finished = [row for row in read_results(out) if run_key(row) in wanted and row["error"] is None]
    if older := sum(row.get("code") != source_hash() for row in finished):
        console.note(
            f"note: {older} of {_counted(len(finished), 'existing result')} in {out} are from another "
            f"version of credprop; use another folder with --out to repeat them"
        )
    with _progress_bar(console) as draw:
        command = shlex.join(["credprop", *sys.argv[1:]])
        rows = run_bench(replace(bench, command=command), out, jobs=jobs, on_progress=draw)
    summary = summarize(rows) | {"out": str(out.resolve()), "page": str(write_bench_page(out, rows))}
    text = f"{table_text(summary)}\n\nWrote {summary['page']}"
    console.result(summary, text.replace("{", "{{").replace("}", "}}"))
    errors = [row for row in rows if row["error"] is not None and run_key(row) in wanted]
    if errors:
        message = f"{len(errors)} of {len(wanted)} runs failed, the first with {errors[0]['method']}"
        hint = "run the same command again to retry them"
        print(f"credprop: {message} ({errors[0]['error']}); {hint}", file=sys.stderr)
        raise SystemExit(FAILED)


def export_cells(
    dataset: Dataset, wanted: Sequence[str], seeds: Sequence[int], out: Path, console: Console
) -> None:
    """Write every cell as an .npz file and print the paths."""
    chosen = choose_scenarios(class_counts(dataset.y), wanted)
    d, files = dataset, {}
    for scenario in chosen:
        for seed in seeds:
            files[out / f"{scenario.cell}-seed{seed}.npz"] = (scenario, seed)
    if existing := [path for path in files if path.exists()]:
        raise ValueError(f"{existing[0]} already exists; use another folder with --out")
    out.mkdir(parents=True, exist_ok=True)
    for path, (scenario, seed) in files.items():
        export_cell(draw_cell(d.x, d.y, d.test_x, d.test_y, scenario, seed), path)
    paths = [str(path.resolve()) for path in files]
    console.result({"cells": paths}, "\n".join(paths).replace("{", "{{").replace("}", "}}"))


def table_text(summary: Mapping[str, Any]) -> str:
    """The table of a bench for a terminal: accuracy in %, "<" marks what is below the baseline."""
    methods = summary["methods"]
    if not methods:
        return "No run has finished."
    margin = max(len(name) for name in methods) + 2
    columns = _columns(summary["cells"])
    lines = _heads(columns, margin)
    lines += [f"{m:{margin}}" + _cells(columns, own["accuracy"], own["below"]) for m, own in methods.items()]
    firsts = {m: own["first_accuracy"] for m, own in methods.items() if own["first_accuracy"]}
    if firsts:
        lines.append("after the first iteration")
        lines += [f"{m:{margin}}" + _cells(columns, own, ()) for m, own in firsts.items()]
    marks = "; < below supervised" if "supervised" in methods else ""
    lines += [
        "",
        f"accuracy on the test set in %, mean of {_counted(len(summary['seeds']), 'seed')}{marks}",
        "",
    ]
    return "\n".join([*lines, *_standings(methods, margin)])


def _columns(cells: Sequence[str]) -> dict[str, int]:
    """The width of each column: enough for numbers and for the scenario names above."""
    blocks = [_parted(cell)[0] for cell in cells]
    needed = {name: len(_SHORT.get(name, name)) + 2 for name in blocks}
    return {cell: max(7, -(-needed[b] // blocks.count(b))) for cell, b in zip(cells, blocks, strict=True)}


def _parted(cell: str) -> tuple[str, str]:
    """Scenario and severity of a cell."""
    name, _, severity = cell.rpartition("-")
    return (name, severity) if name in _SHORT else (cell, "")


def _heads(columns: Mapping[str, int], margin: int) -> list[str]:
    """Two header lines: scenario names above their columns, then severities."""
    names, numbers = " " * margin, " " * margin
    before = ""
    for cell, width in columns.items():
        name, severity = _parted(cell)
        if name != before:
            names = f"{names:{len(numbers)}}  {_SHORT.get(name, name)}"
        numbers += f"{severity:>{width - 1}} "
        before = name
    return [names.rstrip(), numbers.rstrip()]


def _cells(columns: Mapping[str, int], scores: Mapping[str, float], below: Sequence[str] | None) -> str:
    """The scores of a method as one line."""
    words = []
    for cell, width in columns.items():
        score = f"{100 * scores[cell]:.1f}" if cell in scores else "-"
        words.append(f"{score:>{width - 1}}{'<' if cell in (below or ()) else ' '}")
    return "".join(words).rstrip()


def _standings(methods: Mapping[str, Any], margin: int) -> list[str]:
    """For every ranked method: cells below the baseline, worst regret, mean rank, difference and its test."""
    lines = [
        f"{'':{margin}}{'below':>6} {'regret':>7} {'rank':>6} {'difference':>11} {'p (Holm)':>9} {'s':>7}"
    ]
    for name, own in methods.items():
        if own["mean_rank"] is None:
            continue
        below, test = own["cells_below"], own["difference"]
        words = [
            f"{'-' if below is None else round(below['value']):>6}",
            f"{100 * own['worst_regret']['value']:7.1f}",
            f"{own['mean_rank']['value']:6.2f}",
            f"{'-':>11}" if test is None else f"{100 * test['mean']:+11.1f}",
            f"{'-':>9}" if test is None else f"{test['p_holm']:9.3f}",
            f"{own['seconds']:7.1f}",
        ]
        lines.append(f"{name:{margin}}" + " ".join(words))
    legend = "below: cells below supervised; regret: largest gap to the best method of a cell, in points"
    return [*lines, "", legend, "difference: mean points vs. supervised; p: Wilcoxon signed-rank test"]


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


@contextmanager
def _progress_bar(console: Console) -> Iterator[Callable[[Progress], None]]:
    """A callback that updates a progress bar on a terminal and does nothing elsewhere."""
    if console.quiet or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console as RichConsole
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.completed}/{task.total} runs"), BarColumn(), TimeElapsedColumn())
    with Bars(
        *columns, TextColumn("{task.description}"), console=RichConsole(stderr=True), transient=True
    ) as bars:
        task = bars.add_task("starting", total=None)
        yield lambda p: bars.update(task, completed=p.done, total=p.planned, description=describe(p))


def describe(progress: Progress) -> str:
    """The time left and the run just finished, as text."""
    left = "" if progress.seconds_left is None else f"about {format_duration(progress.seconds_left)} left"
    row = progress.row
    if row is None:
        return left or "starting"
    cell = f"{row['scenario']}-{row['severity']}" if row["severity"] else row["scenario"]
    result = "failed" if row["error"] is not None else f"{row['accuracy']:.1%}"
    return ", ".join(word for word in (left, f"{row['method']} {cell} {result}") if word)
