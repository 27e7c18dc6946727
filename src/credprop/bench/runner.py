"""Do all runs of a bench in parallel processes, and store each result as soon as it is done."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from joblib import Parallel, delayed, parallel_config

from credprop.bench.cells import class_counts, draw_cell
from credprop.bench.datasets import Dataset
from credprop.bench.results_folder import Row, append, open_results, run_key
from credprop.bench.run_cell import (
    METHODS,
    Bench,
    Task,
    ablations,
    failed_row,
    load_methods,
    run_task,
    vectors_only,
)
from credprop.bench.scenarios import choose_scenarios
from credprop.ccp import check_preset, choose_settings

# Rough relative costs: the longest runs start first, and the time left is estimated before any run has
# finished.
_COST = {
    "ccp": 6.0,
    "comatch": 2.2,
    **dict.fromkeys(("acr", "openmatch", "simclr"), 1.2),
    **dict.fromkeys(("ccp-alone", "ccp-untrusted", "ccp-paper", "ccp-paper-untrusted"), 1.0),
    **dict.fromkeys(("pseudo-label", "supcon", "supervised", "control"), 0.5),
    **dict.fromkeys(("logistic", "label-spreading", "self-training"), 0.02),
}
_WITH_ABLATIONS = ("ccp-alone", "ccp-untrusted", "seal")  # what ablations are compared with


@dataclass(frozen=True)
class Progress:
    """The progress of a bench: runs done and planned, seconds left, and the run just finished."""

    done: int
    planned: int
    seconds_left: float | None
    row: Row | None


def plan_bench(
    dataset: Dataset,
    methods: Sequence[str],
    wanted: Sequence[str],
    seeds: Sequence[int],
    *,
    preset: str = "auto",
    module: str = METHODS,
) -> Bench:
    """All runs of these methods, scenarios and seeds, the longest first."""
    check_preset(preset)
    if dataset.kind == "text":
        raise ValueError(f"{dataset.name} holds texts; encode them first with prepare_dataset")
    cells = choose_scenarios(class_counts(dataset.y), wanted)
    names = choose_methods(methods, dataset.kind, module)
    tasks = [Task(cell, name, seed) for name in names for cell in cells for seed in seeds]
    d = dataset
    cell = draw_cell(d.x, d.y, d.test_x, d.test_y, cells[0], 0)
    if not len(cell.test_rows):
        raise ValueError(
            f"{d.name}: no test row is of an in-distribution class; use test rows of the training classes"
        )
    choose_settings(cell.data(), preset)  # fail once here rather than in every run
    tasks.sort(key=lambda task: -_cost(task.method))
    return Bench(dataset=dataset, tasks=tuple(tasks), preset=preset, methods=module)


def choose_methods(wanted: Sequence[str], kind: str, module: str = METHODS) -> list[str]:
    """Method names without repetition, from `all`, `ablations` or single names.

    `all` means all methods that support this kind of data, without the ablations; `ablations` means CCP, SEAL
    and CCP with one part changed.
    """
    known, changed = list(load_methods(module)), list(ablations(module))
    supported = [name for name in known if kind == "vectors" or name not in vectors_only(module)]
    groups = {
        "all": [name for name in supported if name not in changed],
        "ablations": [name for name in known if name in (*_WITH_ABLATIONS, *changed)],
    }
    for name in wanted:
        if name not in groups and name not in known:
            raise ValueError(f"unknown method {name!r}; use one of {', '.join([*groups, *known])}")
    chosen = {name for word in wanted for name in groups.get(word, [word])}
    return [name for name in known if name in chosen]


def run_bench(
    bench: Bench,
    out: Path,
    *,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> list[Row]:
    """Do all runs of the bench and return all rows of the folder.

    Finished runs are kept, failed ones are repeated. With one job, runs are done in this process.
    """
    wanted = {task.key for task in bench.tasks}
    with open_results(out, bench.identity(), wanted, bench.command) as rows:
        done = {run_key(row) for row in rows}
        todo = [task for task in bench.tasks if task.key not in done]
        planned = len(bench.tasks)
        on_progress(Progress(planned - len(todo), planned, _left(todo, rows, jobs), None))
        for row in _results(bench, list(todo), jobs):
            append(out, row)
            rows.append(row)
            todo = [task for task in todo if task.key != run_key(row)]
            on_progress(Progress(planned - len(todo), planned, _left(todo, rows, jobs), row))
    return rows


def seconds_left(pending: Sequence[str], spent: Mapping[str, Sequence[float]], jobs: int) -> float | None:
    """Estimated time for pending runs, from the times of finished runs; None before the first one.

    The time of a method without a finished run is estimated from its rough cost.
    """
    total = sum(sum(seconds) for seconds in spent.values())
    cost = sum(_cost(name) * len(seconds) for name, seconds in spent.items())
    if not cost:
        return None
    rate = total / cost
    measured = {name: sum(seconds) / len(seconds) for name, seconds in spent.items() if seconds}
    return sum(measured.get(name, rate * _cost(name)) for name in pending) / min(jobs, len(pending) or 1)


def _left(todo: Sequence[Task], rows: Sequence[Row], jobs: int) -> float | None:
    spent: dict[str, list[float]] = {}
    for row in rows:
        if row["error"] is None:
            spent.setdefault(row["method"], []).append(row["seconds"])
    return seconds_left([task.method for task in todo], spent, jobs)


def _cost(method: str) -> float:
    return _COST.get(method, 1.0)


def _results(bench: Bench, todo: list[Task], jobs: int) -> Iterator[Row]:
    """The rows of these tasks as they finish.

    A process that dies ends all runs in progress, which are the first unfinished ones. They are repeated one
    at a time to find the one that fails.
    """
    while todo:
        try:
            for row in _in_processes(bench, todo, jobs):
                todo = [task for task in todo if task.key != run_key(row)]
                yield row
        except BrokenProcessPool:
            suspects, todo = todo[:jobs], todo[jobs:]
            for task in suspects:
                yield _run_alone(bench, task)


def _in_processes(bench: Bench, tasks: Sequence[Task], jobs: int) -> Iterator[Row]:
    with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1 if jobs > 1 else None):
        workers = Parallel(return_as="generator_unordered", batch_size=1)
        rows: Iterator[Row] = workers(delayed(run_task)(bench, task, os.getpid()) for task in tasks)
    yield from rows


def _run_alone(bench: Bench, task: Task) -> Row:
    """The row of one task, done in a separate process that may die."""
    try:
        return next(iter(_in_processes(bench, [task], jobs=2)))
    except BrokenProcessPool:
        return failed_row(bench, task, "the process died, probably out of memory; use fewer --jobs")
