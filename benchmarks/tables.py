"""The tables of benches from their results, as Markdown.

`python benchmarks/tables.py` prints `results/README.md`; with folders as arguments, the tables of these. Run
again after a bench: a test compares the page with what this prints.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from credprop.bench import make_page_data, read_about, read_results

RESULTS = Path(__file__).parent / "results"
OURS = ("ccp", "ccp-untrusted")
INTRODUCTION = """# Results

Each folder holds a bench: `results.jsonl` with a row a run, `bench.json` with the command, the versions and
the counts of every cell; `credprop report FOLDER` draws its page. `python benchmarks/tables.py` makes this
page.

Accuracy on the test set in %, means over seeds. *Italic*: below `supervised`. **Bold**: the best of a cell.
`control`, which sees all true labels, does not compete. "CCP as in the paper" is the variant that the paper
used: labels not trusted where they are wrong, one iteration where there are strangers. It is chosen by the
cell, a choice that no other method has; `ccp` and `ccp-untrusted` are the same in every cell.

*below*: cells below `supervised`. *regret*: points behind the best method, in the cell where they are most.
*rank*: the mean place. *difference*: points above `supervised`, the mean over cells and seeds, with its
interval of 95 % over seeds. *p*: Wilcoxon's signed-rank test over cells and seeds, with Holm's correction;
cells of a seed share rows and the test set, so it is smaller than independent cells would make it.
*s*: seconds of a run on one thread.
"""


def page(folders: Sequence[Path]) -> Iterator[str]:
    """The lines of the page."""
    found = {folder: make_page_data(read_results(folder)) for folder in folders}
    yield INTRODUCTION
    yield from overview([own for own in found.values() if _is_whole(own)])
    for folder, own in found.items():
        yield f"## {folder.relative_to(RESULTS) if folder.is_relative_to(RESULTS) else folder.name}\n"
        yield "```sh"
        yield from read_about(folder)["commands"]
        yield "```\n"
        yield from accuracies(own)
        yield ""
        yield from standings(own)
        yield ""


def overview(benches: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Benches of all cells side by side: CCP in each cell, and how every method fares."""
    if not benches:
        return
    yield "## Overview\n"
    cells = list(dict.fromkeys(cell for found in benches for cell in found["cells"]))
    yield from _head(["", "", *_short(cells)])
    for found in benches:
        yield from _in_short(found, cells)
    yield ""
    yield "Cells below `supervised`, and the worst regret:\n"
    yield from _head(["", *(found["data"] for found in benches)])
    for name, own in benches[0]["methods"].items():
        if own["mean_rank"] is None:
            continue
        if name == "ccp":
            yield _row("CCP as in the paper", *(_paper_standing(found) for found in benches))
        yield _row(name, *(_standing(found, name) for found in benches))
    yield ""


def _in_short(found: dict[str, Any], cells: Sequence[str]) -> Iterator[str]:
    """The baseline, CCP in both ways and the best of the others in every cell that the data set has."""
    methods, paper = found["methods"], found["paper"]["cells"]
    others = [own for name, own in methods.items() if name not in OURS and own["mean_rank"] is not None]
    best = {cell: max(own["accuracy"][cell] for own in others) for cell in found["cells"]}
    alone = methods[found["baseline"]]["accuracy"]
    yield _row(found["data"], "labels alone", *(_marked(alone.get(cell)) for cell in cells))
    yield _row(
        "",
        "`ccp`",
        *(
            _marked(score, cell in methods["ccp"]["below"], score > best[cell])
            if (score := methods["ccp"]["accuracy"].get(cell)) is not None
            else ""
            for cell in cells
        ),
    )
    yield _row(
        "",
        "CCP as in the paper",
        *(
            _marked(own["accuracy"], own["below"], own["accuracy"] > best[cell])
            if (own := paper.get(cell))
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


def _paper_standing(found: dict[str, Any]) -> str:
    cells = found["paper"]["cells"].values()
    return _both([own for own in cells if own["below"]], max(own["regret"] for own in cells))


def _both(below: Sequence[Any] | None, regret: float) -> str:
    return f"{'-' if below is None else len(below)}, {100 * regret:.1f}"


def _is_whole(found: dict[str, Any]) -> bool:
    """Whether the baseline and both variants of CCP were run in every cell."""
    methods = {found["baseline"], *OURS} <= set(found["methods"])
    return methods and set(found["paper"]["cells"]) == set(found["cells"])


def accuracies(found: dict[str, Any]) -> Iterator[str]:
    """A row a method, a column a cell."""
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
    paper = found["paper"]["cells"]
    if _is_whole(found):
        yield _row(
            "CCP as in the paper",
            *(_marked(paper[cell]["accuracy"], paper[cell]["below"]) for cell in cells),
        )


def standings(found: dict[str, Any]) -> Iterator[str]:
    """A row a method: what it comes to over all cells."""
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
    """Names of cells; in a row of severities only the first says of what."""
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
    """Print the page."""
    folders = [Path(name) for name in sys.argv[1:]]
    for folder in folders:
        if not (folder / "bench.json").is_file():
            raise SystemExit(f"{folder} holds no bench; give a folder that `credprop bench --out` wrote")
    print("\n".join(page(folders or sorted(file.parent for file in RESULTS.rglob("bench.json")))).rstrip())


if __name__ == "__main__":
    main()
