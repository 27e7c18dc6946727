"""`credprop bench`: run, show how it goes, print the table."""

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
    export_cell,
    make_cell,
    plan_bench,
    prepare_dataset,
    run_bench,
    summarize,
)
from credprop.bench.results_folder import code, read_results, run_key
from credprop.bench.run_cell import Bench
from credprop.bench.runner import choose_methods
from credprop.ccp import check_preset
from credprop.cli.comparison import write_page
from credprop.cli.console import Screen, in_words
from credprop.cli.errors import FAILED
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
    screen: Screen,
) -> Bench:
    """All runs; what was asked for is checked before texts or pictures are encoded, which may take long."""
    check_preset(preset)
    choose_scenarios(class_counts(dataset.y), wanted)
    choose_methods(methods, dataset.kind)
    with screen.progress("preparing rows") as draw:
        dataset = prepare_dataset(dataset, encoder, encoding_progress(draw), preset=preset)
    return plan_bench(dataset, methods, wanted, seeds, preset=preset)


def run(bench: Bench, out: Path, jobs: int | None, screen: Screen) -> None:
    """Do all runs and print the table; a failed run makes the exit status 1."""
    data, jobs = bench.dataset, jobs or cpu_count()
    for note in data.notes:
        screen.note(f"note: {note}")
    k, classes = bench.tasks[0].scenario.k, len(bench.tasks[0].scenario.labels)
    screen.note(
        f"{data.name}: {len(data.y):,} training and {len(data.test_y):,} test rows, {classes} classes of "
        f"which {k} are learned; {_counted(len(bench.tasks), 'run')}, {jobs} at a time"
    )
    wanted = {task.key for task in bench.tasks}
    there = [row for row in read_results(out) if run_key(row) in wanted and row["error"] is None]
    if older := sum(row.get("code") != code() for row in there):
        screen.note(
            f"note: {older} of {_counted(len(there), 'row')} there were made by another version of credprop; "
            f"to make them again, name another folder with --out"
        )
    with _bar(screen) as draw:
        command = shlex.join(["credprop", *sys.argv[1:]])
        rows = run_bench(replace(bench, command=command), out, jobs=jobs, on_progress=draw)
    summary = summarize(rows) | {"out": str(out.resolve()), "page": str(write_page(out, rows))}
    story = f"{table_text(summary)}\n\nThe page is in {summary['page']}"
    screen.result(summary, story.replace("{", "{{").replace("}", "}}"))
    errors = [row for row in rows if row["error"] is not None and run_key(row) in wanted]
    if errors:
        message = f"{len(errors)} of {len(wanted)} runs failed, first {errors[0]['method']}"
        print(
            f"credprop: {message} ({errors[0]['error']}); the same command tries them again", file=sys.stderr
        )
        raise SystemExit(FAILED)


def export_cells(
    dataset: Dataset, wanted: Sequence[str], seeds: Sequence[int], out: Path, screen: Screen
) -> None:
    """Write every cell as an .npz, and say where."""
    chosen = choose_scenarios(class_counts(dataset.y), wanted)
    d, files = dataset, {}
    for scenario in chosen:
        for seed in seeds:
            files[out / f"{scenario.cell}-seed{seed}.npz"] = (scenario, seed)
    if there := [path for path in files if path.exists()]:
        raise ValueError(f"{there[0]} is there already; name another folder with --out")
    out.mkdir(parents=True, exist_ok=True)
    for path, (scenario, seed) in files.items():
        export_cell(make_cell(d.x, d.y, d.test_x, d.test_y, scenario, seed), path)
    paths = [str(path.resolve()) for path in files]
    screen.result({"cells": paths}, "\n".join(paths).replace("{", "{{").replace("}", "}}"))


def table_text(summary: Mapping[str, Any]) -> str:
    """The table of a bench for a terminal: accuracy in %, "<" where it is below the baseline."""
    methods = summary["methods"]
    if not methods:
        return "No run has a result."
    margin = max(len(name) for name in methods) + 2
    columns = _columns(summary["cells"])
    lines = _heads(columns, margin)
    lines += [f"{m:{margin}}" + _cells(columns, own["accuracy"], own["below"]) for m, own in methods.items()]
    firsts = {m: own["first_accuracy"] for m, own in methods.items() if own["first_accuracy"]}
    if firsts:
        lines.append("after the first iteration")
        lines += [f"{m:{margin}}" + _cells(columns, own, ()) for m, own in firsts.items()]
    marks = "; < below supervised" if "supervised" in methods else ""
    lines += ["", f"% right on the test set, mean of {_counted(len(summary['seeds']), 'seed')}{marks}", ""]
    return "\n".join([*lines, *_standings(methods, margin)])


def _columns(cells: Sequence[str]) -> dict[str, int]:
    """How wide the column of each cell is: wide enough for numbers, and for names over few columns."""
    blocks = [_parted(cell)[0] for cell in cells]
    needed = {name: len(_SHORT.get(name, name)) + 2 for name in blocks}
    return {cell: max(7, -(-needed[b] // blocks.count(b))) for cell, b in zip(cells, blocks, strict=True)}


def _parted(cell: str) -> tuple[str, str]:
    """Scenario and severity of a cell."""
    name, _, severity = cell.rpartition("-")
    return (name, severity) if name in _SHORT else (cell, "")


def _heads(columns: Mapping[str, int], margin: int) -> list[str]:
    """Two lines: the names of scenarios over their columns, severities over each."""
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
    """The scores of a method as a line."""
    words = []
    for cell, width in columns.items():
        score = f"{100 * scores[cell]:.1f}" if cell in scores else "-"
        words.append(f"{score:>{width - 1}}{'<' if cell in (below or ()) else ' '}")
    return "".join(words).rstrip()


def _standings(methods: Mapping[str, Any], margin: int) -> list[str]:
    """Of every ranked method: cells below the baseline, worst regret, mean rank, difference and its test."""
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
    said = "below: cells below supervised; regret: points behind the best method where it is worst"
    return [*lines, "", said, "difference: mean points to supervised, tested by Wilcoxon's signed ranks"]


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


@contextmanager
def _bar(screen: Screen) -> Iterator[Callable[[Progress], None]]:
    """A callback that draws a bar on a terminal and does nothing elsewhere."""
    if screen.quiet or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.completed}/{task.total} runs"), BarColumn(), TimeElapsedColumn())
    with Bars(
        *columns, TextColumn("{task.description}"), console=Console(stderr=True), transient=True
    ) as bars:
        task = bars.add_task("starting", total=None)
        yield lambda p: bars.update(task, completed=p.done, total=p.planned, description=describe(p))


def describe(progress: Progress) -> str:
    """How much is left, and the run just done, in words."""
    left = "" if progress.seconds_left is None else f"about {in_words(progress.seconds_left)} left"
    row = progress.row
    if row is None:
        return left or "starting"
    cell = f"{row['scenario']}-{row['severity']}" if row["severity"] else row["scenario"]
    result = "failed" if row["error"] is not None else f"{row['accuracy']:.1%}"
    return ", ".join(word for word in (left, f"{row['method']} {cell} {result}") if word)
