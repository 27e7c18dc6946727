"""The HTML page of a bench from its page data."""

import shlex
from collections.abc import Mapping
from typing import Any

from credprop.report.document import document, flatten
from credprop.report.formatting import plain, shorten
from credprop.report.of_bench import iteration_figures, method_figures
from credprop.report.of_bench.ablation_answers import answers
from credprop.report.of_bench.bench_formatting import SCENARIOS, PageData, cell_name, scenarios_of, split_cell
from credprop.report.of_bench.bench_tables import (
    ablation_table,
    accuracy_table,
    costs,
    iteration_table,
    normalized_table,
    standings,
)
from credprop.report.of_bench.bench_verdict import judge
from credprop.report.of_bench.line_styles import legend
from credprop.report.style import Figure

_FAILURES = 50


def make_comparison(page_data: PageData, about: Mapping[str, Any], version: str) -> dict[str, Any]:
    """Everything the page needs, from the page data and the description of the bench, as plain JSON."""
    bench: dict[str, Any] = plain(page_data)
    description: dict[str, Any] = plain(about)
    commands = description.pop("commands", None) or [bench_command(bench)]
    if "data" in description:
        description = {"fingerprint of the data": description.pop("data")} | description
    return {
        "title": str(bench["data"] or "bench"),
        "version": version,
        "bench": bench,
        "verdict": judge(bench),
        "table": accuracy_table(bench),
        "standings": standings(bench),
        "normalized": normalized_table(bench),
        "legend": legend(bench),
        "ablation_table": ablation_table(bench) if bench["ablations"] else None,
        "answers": answers(bench),
        "iteration_table": iteration_table(bench),
        "costs": costs(bench),
        "failures": bench["failures"][:_FAILURES],
        "commands": commands,
        "more": bench_command(bench, ["ablations"]),
        "cell_rows": description.pop("cells", {}),
        "about_rows": list(flatten(description)),
    }


def render_comparison(content: Mapping[str, Any]) -> str:
    """The page of a bench as self-contained HTML."""
    bench = content["bench"]
    drawn = all_figures(bench)
    return document(
        "bench.html",
        content,
        drawn,
        panels=_panels(bench, drawn),
        cell_name=cell_name,
        shorten=shorten,
        tall=110 + 26 * len(content["standings"]),
    )


def bench_command(bench: PageData, methods: list[str] | None = None) -> str:
    """A command that repeats these runs, as far as the rows tell."""
    names = methods or list(bench["cost"]) or ["all"]
    words = ["credprop", "bench", "--data", str(bench["data"] or "DATA"), "--method", *names]
    words += ["--scenario", *(bench["cells"] or ["all"]), "--seeds", str(len(bench["seeds"]) or 1)]
    return shlex.join([*words, "--out", "DIR"])


def all_figures(bench: PageData) -> dict[str, Figure]:
    """All figures of the page by name; empty ones are left out."""
    drawn = {f"sensitivity-{s}": method_figures.sensitivity(bench, s) for s in scenarios_of(bench["cells"])}
    if len(bench["methods"]) > 1:
        drawn |= {"ranks": method_figures.mean_ranks(bench), "cost": method_figures.cost(bench)}
    if any(own["difference"] for own in bench["methods"].values()):
        drawn["differences"] = method_figures.differences(bench)
    drawn |= _of_iterations(bench)
    drawn |= {
        f"trajectory-{i}": iteration_figures.trajectory(sample) for i, sample in enumerate(bench["examples"])
    }
    if (method := tracked_method(bench)) is not None:
        drawn["variance"] = iteration_figures.variance(bench, method)
    if any("dmax" in name for name in bench["ablations"]):
        drawn["bounds"] = iteration_figures.bounds(bench)
    return {name: figure for name, figure in drawn.items() if _has_data(figure)}


def _of_iterations(bench: PageData) -> dict[str, Figure]:
    curves = bench["curves"].get("ccp-alone", {})
    if not curves:
        return {}
    drawn = {}
    for scenario in scenarios_of(list(curves)) or ["base"]:
        drawn[f"subsampling-{scenario}"] = iteration_figures.label_accuracy(
            bench, scenario, "ccp-no-subsampling"
        )
        if "seal" in bench["curves"]:
            drawn[f"softmax-{scenario}"] = iteration_figures.label_accuracy(bench, scenario, "seal")
    cells = hardest(list(curves))
    drawn |= {f"strengths-{cell}": iteration_figures.strengths(bench, cell) for cell in cells}
    return drawn | {
        "resets": iteration_figures.resets(bench, cells),
        "divergences": iteration_figures.divergences(bench, cells),
    }


def hardest(cells: list[str]) -> list[str]:
    """The base case, and the cell with the highest severity of every scenario."""
    last = {split_cell(cell)[0]: cell for cell in sorted(cells, key=lambda cell: split_cell(cell)[1])}
    return [cell for cell in cells if cell in last.values()]


def tracked_method(bench: PageData) -> str | None:
    """The method whose variance over epochs is shown, if any."""
    return next((name for name, rows in bench["variance"].items() if rows), None)


def _has_data(figure: Figure) -> bool:
    """Whether a figure has any value."""
    return any(y is not None for trace in figure["data"] for y in trace["y"])


def _panels(bench: PageData, drawn: Mapping[str, Figure]) -> dict[str, list[dict[str, str]]]:
    """The small plots of each group with their titles."""
    groups: dict[str, list[dict[str, str]]] = {}
    for group in ("sensitivity", "subsampling", "softmax", "strengths"):
        own = [name for name in drawn if name.startswith(group + "-")]
        groups[group] = [{"figure": name, "title": _title(name.removeprefix(group + "-"))} for name in own]
    return groups


def _title(cell: str) -> str:
    name, severity = split_cell(cell)
    return SCENARIOS.get(name, name) + (f", severity {severity}" if severity else "")
