"""Terminal output: progress and notes on standard error, results on standard output."""

import json as json_format
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from credprop.ccp import Progress

_STAGES = {
    "encode": "encoding rows",
    "pretrain": "pretraining",
    "refine": "refining labels",
    "build": "training the classifier",
    "supervised": "training the supervised baseline",
}


class Console:
    """Standard output and standard error, with the verbosity the user asked for."""

    def __init__(self, quiet: bool = False, json: bool = False) -> None:
        self.quiet, self.json = quiet, json

    def note(self, text: str) -> None:
        """Print a note on standard error, unless quiet."""
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)

    def result(self, values: dict[str, Any], template: str) -> None:
        """Print the result: as JSON, or as text with the values filled into the template."""
        print(
            json_format.dumps(values, ensure_ascii=False) if self.json else template.format(**values),
            flush=True,
        )

    @contextmanager
    def progress(self, title: str) -> Iterator[Callable[[Progress], None]]:
        """A callback that updates a progress bar on a terminal and does nothing elsewhere."""
        if self.quiet or not sys.stderr.isatty():
            yield lambda progress: None
            return
        from rich.console import Console as RichConsole
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
        from rich.progress import Progress as Bars

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %  loss {task.fields[loss]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
        )
        with Bars(*columns, console=RichConsole(stderr=True), transient=True) as bars:
            task = bars.add_task(title, total=None, loss="-")

            def draw(progress: Progress) -> None:
                bars.update(
                    task,
                    description=describe(progress),
                    completed=progress.done,
                    total=progress.planned,
                    loss="-" if math.isnan(progress.loss) else f"{progress.loss:.3f}",
                )

            yield draw


def describe(progress: Progress) -> str:
    """The current stage of a run, such as `refining labels 2/5`."""
    name = _STAGES.get(progress.stage, progress.stage)
    if progress.stage == "refine":
        name = f"{name} {progress.iteration}/{progress.iterations}"
    return f"{progress.part}: {name}" if progress.part else name


def format_duration(seconds: float) -> str:
    """A duration rounded for reading: `45 s`, `12 min` or `1.5 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@contextmanager
def stopwatch() -> Iterator[Callable[[], float]]:
    """A function that returns the seconds elapsed since entry."""
    start = time.monotonic()
    yield lambda: time.monotonic() - start
