"""What a person sees: progress and notes on standard error, results on standard output."""

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
    "pretrain": "learning what is alike",
    "refine": "refining labels",
    "build": "building the classifier",
}


class Screen:
    """Standard output and standard error, and how much to say there."""

    def __init__(self, quiet: bool = False, json: bool = False) -> None:
        self.quiet, self.json = quiet, json

    def note(self, text: str) -> None:
        """Say something on the way, on standard error."""
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)

    def result(self, values: dict[str, Any], story: str) -> None:
        """Print the result: as JSON, or as a story with the values filled in."""
        print(
            json_format.dumps(values, ensure_ascii=False) if self.json else story.format(**values), flush=True
        )

    @contextmanager
    def progress(self, title: str) -> Iterator[Callable[[Progress], None]]:
        """A callback that draws a bar on a terminal and does nothing elsewhere."""
        if self.quiet or not sys.stderr.isatty():
            yield lambda progress: None
            return
        from rich.console import Console
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
        with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
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
    """The phase of a run in words."""
    name = _STAGES.get(progress.stage, progress.stage)
    return f"{name} {progress.iteration}/{progress.iterations}" if progress.stage == "refine" else name


def in_words(seconds: float) -> str:
    """A span of time as a person would say it."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


@contextmanager
def stopwatch() -> Iterator[Callable[[], float]]:
    """Seconds since it began."""
    start = time.monotonic()
    yield lambda: time.monotonic() - start
