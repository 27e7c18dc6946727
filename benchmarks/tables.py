"""Markdown tables of bench results.

`python benchmarks/tables.py` prints `results/README.md`; with folders as arguments, the tables of these
benches. `python benchmarks/tables.py --summary` prints the table of the project's README. Update both pages
after a bench: a test compares them with this output.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Any

from credprop.bench import make_page_data, read_about, read_results
from credprop.bench.results import OURS

RESULTS = Path(__file__).parent / "results"
VARIANTS = ("ccp-alone", "ccp-untrusted")  # that are chosen from per cell
AS_IN_THE_PAPER = ("ccp-paper", "ccp-paper-untrusted")
CHOSEN = "CCP, variant chosen per cell"
OURS_FIRST = ("supervised", *OURS)  # in the order of a table
IN_SUMMARY = ("ccp", "ccp-alone", "ccp-untrusted", *AS_IN_THE_PAPER)  # then the best of the others
OTHERS_IN_SUMMARY = 4
INTRODUCTION = """# Results

Each folder holds a bench: `results.jsonl` with one row per run, and `bench.json` with the command, the
versions and the composition of every cell; `credprop report FOLDER` draws its page.
`python benchmarks/tables.py` prints this page.

Accuracy on the test set in %, means over seeds. *Italic*: below `supervised`, the supervised baseline.
**Bold**: the best of a cell. `control`, which sees all true labels, is not ranked. "CCP, variant chosen per
cell" is `ccp-untrusted` with noisy labels, `ccp-alone` after its first iteration with outliers, and
otherwise `ccp-alone`; choosing it needs knowledge of the problem, which no single method has. All other rows
are one method with the same settings in every cell. `ccp-paper` and `ccp-paper-untrusted`, where present, are
Algorithm 1 as in the paper, with no addition of ours. `ccp`, where present, is the default: what a trial
blends of CCP, the supervised network and linear models (one seed).

*below*: number of cells below `supervised`. *regret*: largest gap to the best method of a cell, in points.
*rank*: mean rank over cells. *difference*: mean points vs. `supervised` over cells and seeds, with its 95 %
interval over seeds. *p*: Wilcoxon signed-rank test over cells and seeds, with Holm's correction; cells of a
seed share rows and the test set, so p is smaller than for independent cells. *s*: seconds of a run on one
thread.
"""


def page(folders: Sequence[Path]) -> Iterator[str]:
    """The lines of the page."""
    benches = {folder: make_page_data(read_results(folder)) for folder in folders}
    yield INTRODUCTION
    yield from overview([own for own in benches.values() if _is_complete(own)])
    for folder, own in benches.items():
        yield f"## {folder.relative_to(RESULTS) if folder.is_relative_to(RESULTS) else folder.name}\n"
        yield "```sh"
        yield from read_about(folder)["commands"]
        yield "```\n"
        yield from accuracies(own)
        yield ""
        yield from standings(own)
        yield ""


def overview(benches: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Complete benches side by side: CCP in each cell, and statistics of every method."""
    if not benches:
        return
    yield "## Overview\n"
    cells = list(dict.fromkeys(cell for found in benches for cell in found["cells"]))
    yield from _head(["", "", *_short(cells)])
    for found in benches:
        yield from _short_table(found, cells)
    yield ""
    yield "Number of cells below `supervised`, and the worst regret in points:\n"
    yield from _head(["", *(found["data"] for found in benches)])
    ranked = [name for found in benches for name, own in found["methods"].items() if own["mean_rank"]]
    for name in [*OURS_FIRST, *(name for name in dict.fromkeys(ranked) if name not in OURS_FIRST)]:
        if name in ranked:
            yield _row(name, *(_standing(found, name) for found in benches))
        if name == OURS_FIRST[-1]:
            yield _row(CHOSEN, *(_chosen_standing(found) for found in benches))
    yield ""


def _short_table(found: dict[str, Any], cells: Sequence[str]) -> Iterator[str]:
    """The baseline, CCP, and the best of the other methods in every cell."""
    methods, chosen = found["methods"], found["chosen"]["cells"]
    others = [own for name, own in methods.items() if name not in OURS and own["mean_rank"] is not None]
    best = {cell: max(own["accuracy"][cell] for own in others) for cell in found["cells"]}
    baseline = methods[found["baseline"]]["accuracy"]
    yield _row(found["data"], "supervised baseline", *(_marked(baseline.get(cell)) for cell in cells))
    for name in (name for name in ("ccp", "ccp-alone", *AS_IN_THE_PAPER) if name in methods):
        own = methods[name]
        scores = {cell: own["accuracy"].get(cell) for cell in cells}
        marked = (
            _marked(score, cell in own["below"], score is not None and score > best[cell])
            for cell, score in scores.items()
        )
        yield _row("", f"`{name}`", *marked)
    yield _row(
        "",
        CHOSEN,
        *(
            _marked(own["accuracy"], own["below"], own["accuracy"] > best[cell])
            if (own := chosen.get(cell))
            else ""
            for cell in cells
        ),
    )
    yield _row("", "best other", *(_marked(best.get(cell)) for cell in cells))


def _standing(found: dict[str, Any], name: str) -> str:
    own = found["methods"].get(name)
    if own is None:
        return ""
    return _both(own["below"], own["worst_regret"]["value"])


def _chosen_standing(found: dict[str, Any]) -> str:
    cells = found["chosen"]["cells"].values()
    return _both([own for own in cells if own["below"]], max(own["regret"] for own in cells))


def _both(below: Sequence[Any] | None, regret: float) -> str:
    return f"{'-' if below is None else len(below)}, {100 * regret:.1f}"


def _is_complete(found: dict[str, Any]) -> bool:
    """Whether the baseline and both variants of CCP were run in every cell."""
    methods = {found["baseline"], *VARIANTS} <= set(found["methods"])
    return methods and set(found["chosen"]["cells"]) == set(found["cells"])


def summary(benches: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The table of the README: mean difference from the baseline, and the number of cells below it."""
    yield from _head(["", *(f"{found['data']} ({len(found['cells'])} cells)" for found in benches)])
    common = set.intersection(*(set(found["methods"]) for found in benches)) - set(OURS)
    others = {name: _mean_difference(benches, name) for name in sorted(common)}
    best = sorted(
        (name for name in others if others[name] is not None), key=lambda name: -(others[name] or 0)
    )
    for name in (*IN_SUMMARY, *best[:OTHERS_IN_SUMMARY]):
        gains = [_gain(found, name) for found in benches]
        if any(gains):
            yield _row(f"`{name}`", *gains)


def _mean_difference(benches: Sequence[dict[str, Any]], name: str) -> float | None:
    tests = [found["methods"][name]["difference"] for found in benches]
    return None if None in tests else fmean(test["mean"] for test in tests)


def _gain(found: dict[str, Any], name: str) -> str:
    """Points gained over the baseline and cells below it; empty where a cell has not been run."""
    own = found["methods"].get(name)
    if own is None or set(own["accuracy"]) != set(found["cells"]):
        return ""
    return f"{100 * own['difference']['mean']:+.1f} ({len(own['below'])})"


def accuracies(found: dict[str, Any]) -> Iterator[str]:
    """One row per method, one column per cell."""
    cells, best = found["cells"], found["best"]
    yield from _head(["", *_short(cells)])
    for name, own in found["methods"].items():
        below = own["below"] or []
        yield _row(
            name,
            *(
                _marked(own["accuracy"].get(cell), cell in below, name in best[cell]["methods"])
                for cell in cells
            ),
        )
        if own["first_accuracy"] and any(own["first_accuracy"].values()):
            first = own["first_accuracy"]
            yield _row(f"{name}, first iteration", *(_marked(first.get(cell)) for cell in cells))
    chosen = found["chosen"]["cells"]
    if _is_complete(found):
        yield _row(
            CHOSEN,
            *(_marked(chosen[cell]["accuracy"], chosen[cell]["below"]) for cell in cells),
        )


def standings(found: dict[str, Any]) -> Iterator[str]:
    """One row per method: statistics over all cells."""
    yield from _head(["", "below", "regret", "rank", "difference", "p", "s"])
    for name, own in found["methods"].items():
        if own["mean_rank"] is None:
            continue
        test, regret, rank = own["difference"], own["worst_regret"]["value"], own["mean_rank"]["value"]
        yield _row(
            name,
            "" if own["below"] is None else str(len(own["below"])),
            f"{100 * regret:.1f}",
            f"{rank:.1f}",
            "" if test is None else _difference(test),
            "" if test is None else f"{test['p_holm']:.2g}",
            f"{own['seconds']:.1f}",
        )


def _difference(test: dict[str, Any]) -> str:
    mean = f"{100 * test['mean']:+.1f}"
    low_high = test["interval"]
    return mean if low_high is None else f"{mean} ({100 * low_high[0]:+.1f} to {100 * low_high[1]:+.1f})"


def _short(cells: Sequence[str]) -> Iterator[str]:
    """Names of cells; of the severities of a scenario, only the first has its name."""
    for _, group in groupby(cells, key=lambda cell: cell.rstrip("0123456789")):
        first, *others = group
        yield first.replace("-", " ")
        yield from (cell.rpartition("-")[2] for cell in others)


def _marked(score: float | None, below: bool = False, best: bool = False) -> str:
    if score is None:
        return ""
    text = f"{100 * score:.1f}"
    return f"**{text}**" if best else f"*{text}*" if below else text


def _head(names: Sequence[str]) -> Iterator[str]:
    yield _row(*names)
    yield "|---|" + "---:|" * (len(names) - 1)


def _row(*values: str) -> str:
    return "| " + " | ".join(values) + " |"


def main() -> None:
    """Print the page, or the table of the README."""
    every = sorted(file.parent for file in RESULTS.rglob("bench.json"))
    if sys.argv[1:] == ["--summary"]:
        benches = [make_page_data(read_results(folder)) for folder in every]
        print("\n".join(summary([found for found in benches if _is_complete(found)])))
        return
    folders = [Path(name) for name in sys.argv[1:]]
    for folder in folders:
        if not (folder / "bench.json").is_file():
            raise SystemExit(
                f"{folder} is not the folder of a bench; use one written by `credprop bench --out`"
            )
    print("\n".join(page(folders or every)).rstrip())


if __name__ == "__main__":
    main()
