"""Progress of many parts of different length as one."""

from collections.abc import Callable, Mapping

from credprop.ccp import Progress

OnProgress = Callable[[Progress], None]


class Meter:
    """Hands on the progress of parts, each by its share of the whole."""

    def __init__(self, on_progress: OnProgress, costs: Mapping[str, float]) -> None:
        self.on_progress, self.costs = on_progress, dict(costs)
        self.planned = round(sum(costs.values()))
        self.finished: set[str] = set()

    def part(self, name: str, title: str = "") -> OnProgress:
        """Where a part reports its own progress; `title` is shown before its stage."""

        def hand_on(progress: Progress) -> None:
            share = progress.done / max(progress.planned, 1)
            done = sum(self.costs[part] for part in self.finished) + share * self.costs[name]
            self.on_progress(progress.within(title, round(done), self.planned))

        return hand_on

    def finish(self, name: str) -> None:
        """Count a part as done."""
        self.finished.add(name)
