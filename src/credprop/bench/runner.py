"""All runs of a bench in parallel processes, each written down as soon as it is done."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from joblib import Parallel, delayed, parallel_config

from credprop.bench.cells import class_counts, make_cell
from credprop.bench.datasets import Dataset
from credprop.bench.results_folder import Row, append, opened, run_key
from credprop.bench.run_cell import (
    METHODS,
    Bench,
    Task,
    ablations,
    do,
    failed,
    for_vectors_only,
    load_methods,
)
from credprop.bench.scenarios import choose_scenarios
from credprop.ccp import check_preset, choose_settings

# Rough times relative to each other: to start with the longest, and for the first estimate of the time left.
_COST = {
    "comatch": 2.2,
    **dict.fromkeys(("acr", "openmatch", "simclr"), 1.2),
    **dict.fromkeys(("pseudo-label", "supcon", "supervised", "control"), 0.5),
    **dict.fromkeys(("logistic", "label-spreading", "self-training"), 0.02),
}


_WITH_ABLATIONS = ("ccp", "ccp-untrusted", "seal")  # what they are compared with


@dataclass(frozen=True)
class Progress:
    """Where a bench stands: runs done of those asked for, the seconds left, and the run just done."""

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
    """Every run of these methods, in these scenarios, with these seeds: the longest first."""
    check_preset(preset)
    if dataset.kind == "text":
        raise ValueError(
            f"{dataset.name} holds texts; make rows for a network of them first (prepare_dataset)"
        )
    cells = choose_scenarios(class_counts(dataset.y), wanted)
    names = choose_methods(methods, dataset.kind, module)
    tasks = [Task(cell, name, seed) for name in names for cell in cells for seed in seeds]
    d = dataset
    cell = make_cell(d.x, d.y, d.test_x, d.test_y, cells[0], 0)
    if not len(cell.test_rows):
        raise ValueError(f"{d.name}: no test row is of a class that is learned; test on the same classes")
    choose_settings(cell.data(), preset)  # an error here is better than one in every run
    tasks.sort(key=lambda task: -_cost(task.method))
    return Bench(dataset=dataset, tasks=tuple(tasks), preset=preset, methods=module)


def choose_methods(wanted: Sequence[str], kind: str, module: str = METHODS) -> list[str]:
    """Names of methods, each once, by `all`, by `ablations` or by their own names.

    `all` are the methods of the comparison that this kind of data can be given to; `ablations` are CCP, SEAL
    and CCP with one thing changed.
    """
    there, changed = list(load_methods(module)), list(ablations(module))
    fit = [name for name in there if kind == "vectors" or name not in for_vectors_only(module)]
    groups = {
        "all": [name for name in fit if name not in changed],
        "ablations": [name for name in there if name in (*_WITH_ABLATIONS, *changed)],
    }
    for name in wanted:
        if name not in groups and name not in there:
            raise ValueError(f"no method is named {name!r}; there are {', '.join([*groups, *there])}")
    chosen = {name for word in wanted for name in groups.get(word, [word])}
    return [name for name in there if name in chosen]


def run_bench(
    bench: Bench,
    out: Path,
    *,
    jobs: int = 1,
    on_progress: Callable[[Progress], None] = lambda progress: None,
) -> list[Row]:
    """All rows of the folder, once every run of the bench is among them.

    A finished run is never repeated, a failed one is. With one job, runs are done in this process.
    """
    wanted = {task.key for task in bench.tasks}
    with opened(out, bench.identity(), wanted, bench.command) as rows:
        done = {run_key(row) for row in rows}
        todo = [task for task in bench.tasks if task.key not in done]
        planned = len(bench.tasks)
        on_progress(Progress(planned - len(todo), planned, _left(todo, rows, jobs), None))
        for row in _measured(bench, list(todo), jobs):
            append(out, row)
            rows.append(row)
            todo = [task for task in todo if task.key != run_key(row)]
            on_progress(Progress(planned - len(todo), planned, _left(todo, rows, jobs), row))
    return rows


def seconds_left(pending: Sequence[str], spent: Mapping[str, Sequence[float]], jobs: int) -> float | None:
    """Time that the runs of these methods will take, from what runs of each took; None where none is done.

    A method of which no run is done counts by its rough cost.
    """
    total = sum(sum(seconds) for seconds in spent.values())
    cost = sum(_cost(name) * len(seconds) for name, seconds in spent.items())
    if not cost:
        return None
    rate = total / cost
    known = {name: sum(seconds) / len(seconds) for name, seconds in spent.items() if seconds}
    return sum(known.get(name, rate * _cost(name)) for name in pending) / min(jobs, len(pending) or 1)


def _left(todo: Sequence[Task], rows: Sequence[Row], jobs: int) -> float | None:
    spent: dict[str, list[float]] = {}
    for row in rows:
        if row["error"] is None:
            spent.setdefault(row["method"], []).append(row["seconds"])
    return seconds_left([task.method for task in todo], spent, jobs)


def _cost(method: str) -> float:
    return _COST.get(method, 1.0)


def _measured(bench: Bench, todo: list[Task], jobs: int) -> Iterator[Row]:
    """The rows of these tasks as they get done.

    A process that dies takes all that are under way with it: they are the first ones not done yet, and are
    done anew one at a time to find the one that dies again.
    """
    while todo:
        try:
            for row in _in_processes(bench, todo, jobs):
                todo = [task for task in todo if task.key != run_key(row)]
                yield row
        except BrokenProcessPool:
            suspects, todo = todo[:jobs], todo[jobs:]
            for task in suspects:
                yield _alone(bench, task)


def _in_processes(bench: Bench, tasks: Sequence[Task], jobs: int) -> Iterator[Row]:
    with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1 if jobs > 1 else None):
        workers = Parallel(return_as="generator_unordered", batch_size=1)
        rows: Iterator[Row] = workers(delayed(do)(bench, task, os.getpid()) for task in tasks)
    yield from rows


def _alone(bench: Bench, task: Task) -> Row:
    """The row of one task in a process of its own, which may die."""
    try:
        return next(iter(_in_processes(bench, [task], jobs=2)))
    except BrokenProcessPool:
        return failed(bench, task, "the process died, as it does when memory runs out; try fewer --jobs")
