"""The page of a bench from its digest."""

import shlex
from collections.abc import Mapping
from typing import Any

from credprop.report.document import document, flatten
from credprop.report.of_bench import iteration_figures, method_figures
from credprop.report.of_bench.ablation_figures import answers
from credprop.report.of_bench.bench_tables import (
    ablation_table,
    accuracy_table,
    costs,
    iteration_table,
    normalized_table,
    standings,
)
from credprop.report.of_bench.findings import judge
from credprop.report.of_bench.line_styles import legend
from credprop.report.of_bench.method_words import SCENARIOS, Found, cell_name, parted, scenarios_of
from credprop.report.style import Figure
from credprop.report.words import plain, shorten

_FAILURES = 50


def make_comparison(digest: Mapping[str, Any], about: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Everything that the page needs, from a bench's digest and from what it is a bench of, as plain JSON."""
    found: dict[str, Any] = plain(digest)
    known: dict[str, Any] = plain(about)
    commands = known.pop("commands", None) or [again(found)]
    if "data" in known:
        known = {"fingerprint of the data": known.pop("data")} | known
    return {
        "title": str(found["data"] or "bench"),
        "version": version,
        "found": found,
        "verdict": judge(found),
        "table": accuracy_table(found),
        "standings": standings(found),
        "normalized": normalized_table(found),
        "legend": legend(found),
        "ablation_table": ablation_table(found) if found["ablations"] else None,
        "answers": answers(found),
        "iteration_table": iteration_table(found),
        "costs": costs(found),
        "failures": found["failures"][:_FAILURES],
        "commands": commands,
        "more": again(found, ["ablations"]),
        "cell_rows": known.pop("cells", {}),
        "about_rows": list(flatten(known)),
    }


def render_comparison(content: Mapping[str, Any]) -> str:
    """The page of a bench as HTML that asks the network for nothing."""
    found = content["found"]
    drawn = all_figures(found)
    return document(
        "bench.html",
        content,
        drawn,
        panels=_panels(found, drawn),
        cell_name=cell_name,
        shorten=shorten,
        tall=110 + 26 * len(content["standings"]),
    )


def again(found: Found, methods: list[str] | None = None) -> str:
    """A command that does these runs, as far as the rows tell."""
    names = methods or list(found["cost"]) or ["all"]
    words = ["credprop", "bench", "--data", str(found["data"] or "DATA"), "--method", *names]
    words += ["--scenario", *(found["cells"] or ["all"]), "--seeds", str(len(found["seeds"]) or 1)]
    return shlex.join([*words, "--out", "DIR"])


def all_figures(found: Found) -> dict[str, Figure]:
    """Every figure of the page by name; those that have nothing to show are left out."""
    drawn = {f"sensitivity-{s}": method_figures.sensitivity(found, s) for s in scenarios_of(found["cells"])}
    if len(found["methods"]) > 1:
        drawn |= {"ranks": method_figures.mean_ranks(found), "cost": method_figures.cost(found)}
    if any(own["difference"] for own in found["methods"].values()):
        drawn["differences"] = method_figures.differences(found)
    drawn |= _of_iterations(found)
    drawn |= {f"moves-{i}": iteration_figures.moves(sample) for i, sample in enumerate(found["examples"])}
    if (method := watched_method(found)) is not None:
        drawn["variance"] = iteration_figures.variance(found, method)
    if any("dmax" in name for name in found["ablations"]):
        drawn["bounds"] = iteration_figures.bounds(found)
    return {name: figure for name, figure in drawn.items() if _shows(figure)}


def _of_iterations(found: Found) -> dict[str, Figure]:
    there = found["curves"].get("ccp", {})
    if not there:
        return {}
    drawn = {}
    for scenario in scenarios_of(list(there)) or ["base"]:
        drawn[f"subsampling-{scenario}"] = iteration_figures.label_accuracy(
            found, scenario, "ccp-no-subsampling"
        )
        if "seal" in found["curves"]:
            drawn[f"softmax-{scenario}"] = iteration_figures.label_accuracy(found, scenario, "seal")
    cells = hardest(list(there))
    drawn |= {f"strengths-{cell}": iteration_figures.strengths(found, cell) for cell in cells}
    return drawn | {
        "resets": iteration_figures.resets(found, cells),
        "divergences": iteration_figures.divergences(found, cells),
    }


def hardest(cells: list[str]) -> list[str]:
    """The base case, and of every data variable the cell of the highest severity."""
    last = {parted(cell)[0]: cell for cell in sorted(cells, key=lambda cell: parted(cell)[1])}
    return [cell for cell in cells if cell in last.values()]


def watched_method(found: Found) -> str | None:
    """The method whose variance over epochs is shown."""
    return next((name for name, rows in found["variance"].items() if rows), None)


def _shows(figure: Figure) -> bool:
    """Whether a figure has a number in it."""
    return any(y is not None for trace in figure["data"] for y in trace["y"])


def _panels(found: Found, drawn: Mapping[str, Figure]) -> dict[str, list[dict[str, str]]]:
    """The small plots of each group that are drawn, with their titles."""
    groups: dict[str, list[dict[str, str]]] = {}
    for group in ("sensitivity", "subsampling", "softmax", "strengths"):
        own = [name for name in drawn if name.startswith(group + "-")]
        groups[group] = [{"figure": name, "title": _title(name.removeprefix(group + "-"))} for name in own]
    return groups


def _title(cell: str) -> str:
    name, severity = parted(cell)
    return SCENARIOS.get(name, name) + (f", severity {severity}" if severity else "")
